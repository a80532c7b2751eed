package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.ClassDemand;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which part of what is asked for is reported of which class. */
class ClassesReportedTest {
  private static final Limit LIMIT = new FixedWindow(1_000, 10 * SECOND);
  private static final Request JOB = new Request(Map.of("user", "42", "job", "nightly"), 1);
  private static final Rule RULE =
      strict(LIMIT)
          .withClasses(
              new DemandClasses(
                  List.of(
                      DemandClass.of("users", Map.of()),
                      DemandClass.of("jobs", Map.of("job", new Matcher.Any())))));

  private final TestBook client = new TestBook(RULE);

  private int jobs(int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += client.book.decide(JOB, client.now).admitted() ? 1 : 0;
    }
    return admitted;
  }

  private List<ClassDemand> reported() {
    client.passes(20 * MILLI);
    return client.report().orElseThrow().classes();
  }

  @Test
  void admittedAndRefused_areAskedForByTheirClass() {
    assertThat(jobs(1)).isZero();
    client.reports();
    client.answer().grants(client.grant(LIMIT, 5, 30)).remaining(900).send();
    assertThat(client.admitted(40)).isEqualTo(30);
    jobs(100);
    List<ClassDemand> classes = reported();
    assertThat(classes.get(0).perSecond()).isEqualTo(40 * 50);
    assertThat(classes.get(1).perSecond()).isBetween(99.0 * 50, 101.0 * 50);
  }

  @Test
  void requestsThatWait_needPermitsOfTheirClass() {
    WaitingRequest user = new WaitingRequest(Request.of("user", "42").withCost(7), client.now);
    WaitingRequest job = new WaitingRequest(JOB.withCost(5), client.now);
    client.book.chargeOrWait(user, client.now);
    client.book.chargeOrWait(job, client.now);
    QuotaUsage usage = client.report().orElseThrow();
    assertThat(usage.needed()).isEqualTo(12);
    assertThat(usage.classes()).extracting(ClassDemand::needed).containsExactly(7L, 5L);
  }

  @Test
  void permitsThatAnotherRulePutsBack_areNotAskedFor() {
    Rule refuses = rule("z-refuses", new FixedWindow(0, SECOND), Enforcement.STRICT);
    client.admits();
    client.granted(client.grant(LIMIT, 5, 100));
    client.passes(20 * MILLI);
    client.reports();
    client.apply(refuses);
    assertThat(client.admitted(100)).isZero();
    client.remove(refuses);
    client.passes(20 * MILLI);
    for (QuotaUsage usage : client.reports()) {
      if (!usage.classes().isEmpty()) {
        assertThat(usage.classes().get(0).perSecond()).isLessThan(100);
      }
    }
  }
}
