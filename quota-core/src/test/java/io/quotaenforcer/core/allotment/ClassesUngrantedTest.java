package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MAX_INSTANCES;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Permits reserved for a class are left to it also where nothing was granted. */
class ClassesUngrantedTest {
  private static final int PERMITS = 100;
  private static final int RESERVED = 30;
  private static final Limit LIMIT = new FixedWindow(PERMITS, 10 * SECOND);
  private static final DemandClasses CLASSES =
      new DemandClasses(
          List.of(
              new DemandClass("users", Map.of(), 100 * RESERVED, DemandClass.WHOLE),
              DemandClass.of("jobs", Map.of("job", new Matcher.Any()))));

  @Test
  void newKey_isOpenedByJobs_butForWhatIsReserved() {
    TestBook client = new TestBook(balanced(LIMIT).withClasses(CLASSES));

    assertThat(jobs(client, PERMITS)).isEqualTo(PERMITS - RESERVED);
    assertThat(client.admitted(PERMITS)).isEqualTo(RESERVED);
  }

  @Test
  void newKey_ofAStrictRule_isOpenedByNobody() {
    TestBook client = new TestBook(strict(LIMIT).withClasses(CLASSES));

    assertThat(jobs(client, PERMITS)).isZero();
    assertThat(client.admitted(PERMITS)).isZero();
  }

  @Test
  void limitOfEachInstance_isUsedByJobs_butForWhatIsReserved() {
    Rule alone = balanced(LIMIT).withEnforcement(Enforcement.PER_INSTANCE).withClasses(CLASSES);
    TestBook client = new TestBook(alone);

    assertThat(jobs(client, PERMITS)).isEqualTo(PERMITS - RESERVED);
    assertThat(client.admitted(PERMITS)).isEqualTo(RESERVED);
    assertThat(jobs(client, 1)).isZero();
  }

  /** The request's cost counts as well: none is admitted with half of the permits it asks for. */
  @Test
  void costlyJob_thatWouldTakeOfWhatIsReserved_isRefused() {
    Rule alone = balanced(LIMIT).withEnforcement(Enforcement.PER_INSTANCE).withClasses(CLASSES);
    TestBook client = new TestBook(alone);

    assertThat(job(client, PERMITS - RESERVED + 1)).isFalse();
    assertThat(job(client, PERMITS - RESERVED)).isTrue();
  }

  @Test
  void shareWhileTheEnforcerIsAway_isUsedByJobs_butForWhatIsReserved() {
    TestBook client = cutOff(balanced(LIMIT).withClasses(CLASSES));
    int share = PERMITS / MAX_INSTANCES;

    assertThat(jobs(client, PERMITS)).isEqualTo(share - RESERVED / MAX_INSTANCES);
    assertThat(client.admitted(PERMITS)).isEqualTo(RESERVED / MAX_INSTANCES);
  }

  @Test
  void ruleThatAllowsAllWhileTheEnforcerIsAway_admitsJobsToo() {
    TestBook client =
        cutOff(balanced(LIMIT).withOnUnavailable(OnUnavailable.ALLOW).withClasses(CLASSES));

    assertThat(jobs(client, 5 * PERMITS)).isEqualTo(5 * PERMITS);
  }

  /** A key in use, whose enforcer does not answer any more; in a later window. */
  private static TestBook cutOff(Rule rule) {
    TestBook client = new TestBook(rule);
    client.admits();
    client.granted();
    client.passes(50 * MILLI);
    client.admits();
    client.ticks(1_200 * MILLI);
    assertThat(client.decision().degraded()).isTrue();
    client.passes(10 * SECOND);
    return client;
  }

  private static int jobs(TestBook client, int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += job(client, 1) ? 1 : 0;
    }
    return admitted;
  }

  private static boolean job(TestBook client, long cost) {
    Request request = new Request(Map.of("user", "42", "job", "nightly"), cost);
    return client.book.decide(request, client.now).admitted();
  }
}
