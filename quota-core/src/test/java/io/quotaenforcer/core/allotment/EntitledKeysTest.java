package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.core.rule.Rule;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Limits by data, as an instance learns them from answers. */
class EntitledKeysTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);
  private static final Entitlements PLANS = new Entitlements(Map.of("gold", 1_000L));

  private TestBook client = new TestBook(strict(LIMIT).withEntitlements(PLANS));

  /** The first report is answered with a lease, under a limit. */
  private CellGrant granted(long permits, long limit) {
    client.admits();
    client.reports();
    CellGrant grant = client.grant(LIMIT, 5, permits);
    client.answer().grants(grant).limit(limit).send();
    return grant;
  }

  @Test
  void largerLimit_isTold_andMayBeAskedForAtOnce() {
    assertThat(client.decide("42", 500).rule().orElseThrow().retryAfterNanos())
        .isEqualTo(RuleDecision.NEVER_NANOS);
    granted(10, 1_000);
    assertThat(client.decision().limit()).isEqualTo(1_000);
    RuleDecision large = client.decide("42", 500).rule().orElseThrow();
    assertThat(large.retryAfterNanos()).isLessThan(RuleDecision.NEVER_NANOS);
  }

  @Test
  void smallerLimit_endsWhatWasGrantedBefore_andReportsItAtOnce() {
    CellGrant before = granted(40, 100);
    assertThat(client.admitted(10)).isEqualTo(10);
    client.reports();
    CellGrant anew = client.grant(LIMIT, 6, 2);
    client.answer().grants(before, anew).limit(12).send();
    assertThat(client.admitted(30)).isEqualTo(2);
    assertThat(client.decision().limit()).isEqualTo(12);
    client.passes(client.settings.closeGraceNanos() + MILLI);
    assertThat(client.cells())
        .filteredOn(cell -> cell.id() == 5)
        .singleElement()
        .satisfies(
            cell -> {
              assertThat(cell.closed()).isTrue();
              assertThat(cell.used()).isEqualTo(10);
            });
  }

  @Test
  void smallerLimitOfABalancedRule_isNotOpenedInsteadOfWhatWasGranted() {
    client = new TestBook(balanced(LIMIT).withEntitlements(PLANS));
    granted(40, 100);
    client.reports();
    client.answer().limit(5).opening(3).send();
    assertThat(client.admitted(50)).isEqualTo(3);
  }

  @Test
  void newKeyOfABalancedRule_isOpenedByTheRulesOwnLimit() {
    client = new TestBook(balanced(LIMIT).withEntitlements(PLANS));
    assertThat(client.admitted(500)).isEqualTo(100);
  }

  @Test
  void largerLimitOfABalancedRule_isGranted_andOpenedNoFurtherThanTheRules() {
    client = new TestBook(balanced(LIMIT).withEntitlements(PLANS));
    assertThat(client.admitted(500)).isEqualTo(100);
    client.reports();
    CellGrant grant = client.grant(LIMIT, 5, 300);
    client.answer().grants(grant).limit(1_000).used(100).remaining(600).opening(600).send();
    assertThat(client.admitted(2_000)).isEqualTo(300);
  }

  @Test
  void limitTakenBack_isTheRulesOwnAgain() {
    granted(10, 1_000);
    client.reports();
    client.answer().limit(100).send();
    assertThat(client.decision().limit()).isEqualTo(100);
  }

  @Test
  void changeOfTheRule_keepsTheLimitByData_andChangesAnyOther() {
    granted(10, 1_000);
    Rule newer = strict(new FixedWindow(50, 10 * SECOND)).withEntitlements(PLANS);
    client.apply(newer.withVersion(2, 1));
    assertThat(client.decision().limit()).isEqualTo(1_000);
    client.decide("other", 1);
    assertThat(client.decide("other", 1).rule().orElseThrow().limit()).isEqualTo(50);
    client.apply(strict(new FixedWindow(50, 10 * SECOND)).withVersion(3, 1));
    assertThat(client.decision().limit()).isEqualTo(50);
  }

  @Test
  void ruleThatTakesNothingFromData_goesByItsOwnLimit_whateverAnAnswerSays() {
    client = new TestBook(strict(LIMIT));
    granted(10, 1_000);
    assertThat(client.decision().limit()).isEqualTo(100);
  }

  @Test
  void perInstanceRule_followsTheLimitThatIsTold() {
    Rule rule = TestBook.rule("rule", LIMIT, Enforcement.PER_INSTANCE).withEntitlements(PLANS);
    client = new TestBook(rule);
    assertThat(client.admitted(60)).isEqualTo(60);
    client.reports();
    client.answer().limit(70).send();
    assertThat(client.admitted(60)).isEqualTo(10);
  }

  @Test
  void keyInUse_isReportedAtOnce_whenAnotherLimitIsAnnounced() {
    granted(40, 100);
    client.reports();
    client.passes(MILLI);
    assertThat(client.reports()).isEmpty();
    client.book.applyExhausted(
        key("rule", "42"), new ExhaustedQuota(1, client.enforcerNow(), 0, 0), client.now);
    Optional<QuotaUsage> asked = client.report();
    assertThat(asked).isPresent();
    assertThat(asked.get().cells()).extracting(CellUsage::id).contains(5L);
  }
}
