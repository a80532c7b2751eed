package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Opening;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A balanced rule's ledger leaves permits to instances to open, and counts those that they opened.
 */
class LedgerOpeningTest {
  private static final long WINDOW = 10 * SECOND;

  @RegisterExtension
  final TestLedger ledger = TestLedger.leasing(new FixedWindow(100, WINDOW)).overBooked();

  private TestLedger.Sent opens(String instance, long used) {
    return ledger.from(instance).opened(1, START, used, false).send();
  }

  @Test
  void opening_isWhatIsUnused_heldByOthersOrNot() {
    CellGrant held = ledger.from("a").needs(39).send().grant();
    assertThat(held.granted()).isEqualTo(40);

    assertThat(opens("b", 10).answer.opening()).isEqualTo(90);
    assertThat(opens("b", 10).answer.openingUntilNanos()).isZero();
  }

  @Test
  void opening_ofAHolder_isLessByWhatItHolds() {
    ledger.from("a").needs(39).send();

    assertThat(ledger.from("a").send().answer.opening()).isEqualTo(60);
  }

  @Test
  void opening_partOfTheLimit_isNoMore() {
    ledger.rule = ledger.rule.withOpening(new Opening.Part(2_000));

    assertThat(opens("a", 10).answer.opening()).isEqualTo(20);
    assertThat(opens("a", 95).answer.opening()).isEqualTo(5);
  }

  @Test
  void opening_strict_isNothing() {
    ledger.rule = ledger.rule.withEnforcement(Enforcement.STRICT);

    assertThat(ledger.from("a").send().answer.opening()).isZero();
  }

  @Test
  void used_beyondTheLimit_isCountedAndNotOwed() {
    TestLedger bucket = TestLedger.leasing(new TokenBucket(60, MINUTE, 60)).overBooked();
    bucket.from("a").opened(1, 0, 60, false).send();
    bucket.from("b").opened(1, 0, 60, false).send();

    assertThat(bucket.counted(bucket.rule.limit().windowStart(START))).isEqualTo(120);
    assertThat(bucket.available()).as("nothing is owed").isZero();
    bucket.passes(10 * SECOND);
    assertThat(bucket.from("c").needs(5).send().granted()).isPositive();
  }

  @Test
  void putBack_ofWhatWasOver_freesNothing() {
    opens("a", 100);
    opens("b", 30);
    CellUsage back = CellUsage.of(-1, START).withTaken(30).withPutBack(20);
    ledger.from("b").cell(back).send();
    assertThat(ledger.available()).isZero();

    CellUsage all = CellUsage.of(-1, START).withTaken(30).withPutBack(30);
    ledger.from("b").cell(all).send();
    assertThat(ledger.available()).as("nothing of it was charged").isZero();
  }

  @Test
  void putBack_ofWhatWasCharged_isFree() {
    opens("a", 90);
    opens("b", 30);
    ledger.from("b").cell(CellUsage.of(-1, START).withTaken(30).withPutBack(25)).send();

    assertThat(ledger.available()).as("20 were over, 10 charged").isEqualTo(5);
  }

  @Test
  void short_moreWasUsedThanThereWas_grantsAloneDecide() {
    opens("a", 60);
    TestLedger.Sent over = opens("b", 41);

    assertThat(over.answer.opening()).isZero();
    assertThat(over.answer.openingUntilNanos()).isEqualTo(START + WINDOW);
    ledger.passes(WINDOW);
    assertThat(ledger.from("b").send().answer.opening()).isPositive();
  }

  @Test
  void short_moreIsAskedForThanIsLeft_grantsAloneDecide() {
    opens("a", 100);
    CellUsage throttled = CellUsage.of(-1, START).withTaken(100).withThrottled(1);

    assertThat(ledger.from("a").cell(throttled).send().answer.openingUntilNanos()).isPositive();
  }

  @Test
  void exactlyTheLimit_isNotShort() {
    TestLedger.Sent all = opens("a", 100);

    assertThat(all.answer.opening()).isZero();
    assertThat(all.answer.openingUntilNanos()).isZero();
  }

  @Test
  void short_demandIsStillAboutTheLimit_lasts() {
    opens("a", 101);
    for (int i = 0; i < 400; i++) {
      ledger.passes(SECOND / 10);
      TestLedger.Sent busy = ledger.from("a").demand(20).send();
      assertThat(busy.answer.opening()).as("after %d tenths of a second", i).isZero();
    }
    ledger.passes(2 * WINDOW);
    assertThat(ledger.from("a").send().answer.opening()).isEqualTo(100);
  }

  /** Instances hear of each request before the next one, so that each may be opened again. */
  @Test
  void short_requestsComeSeldom_lastsUntilThereArePermitsAgain() {
    ledger.passes(9 * SECOND);
    opens("a", 100);
    CellUsage throttled = CellUsage.of(-1, START).withTaken(100).withThrottled(1);

    TestLedger.Sent refused = ledger.from("a").demand(50).cell(throttled).send();

    assertThat(refused.answer.openingUntilNanos()).isEqualTo(START + WINDOW);
    ledger.passes(SECOND);
    assertThat(ledger.from("a").demand(1).send().answer.opening()).isGreaterThan(90);
  }

  @Test
  void short_slowlyRenewed_lastsUntilAnEighthIsFree() {
    TestLedger log = TestLedger.leasing(new SlidingLog(80, MINUTE, false)).overBooked();
    log.from("a").opened(1, 0, 40, false).send();
    log.passes(20 * SECOND);
    log.from("b").opened(1, 0, 41, false).send();

    assertThat(log.from("b").send().answer.openingUntilNanos()).isEqualTo(START + MINUTE);
  }

  @Test
  void abused_overByHalfTheLimit_isToldToAll_andOpenedWithAnEvenPart() {
    opens("a", 100);
    assertThat(opens("b", 50).exhausted.map(ExhaustedQuota::abusedUntilNanos)).hasValue(0L);
    ExhaustedQuota abused = opens("c", 20).exhausted.orElseThrow();

    assertThat(abused.abusedUntilNanos()).isEqualTo(START + 2 * WINDOW);
    assertThat(abused.opening()).isEqualTo(100 / 3);
    assertThat(abused.untilNanos()).isEqualTo(START + WINDOW);
  }

  @Test
  void abused_again_isSoForTwiceAsLong() {
    opens("a", 200);
    assertThat(ledger.state.trust().abusedUntilNanos()).isEqualTo(START + 2 * WINDOW);
    ledger.passes(3 * WINDOW);
    ledger.from("a").opened(2, START + 3 * WINDOW, 200, false).send();

    assertThat(ledger.state.trust().abusedUntilNanos()).isEqualTo(START + 7 * WINDOW);
  }

  @Test
  void abused_forLongEnoughNoMore_isTrustedAsBefore() {
    opens("a", 200);
    ledger.passes(20 * WINDOW);
    ledger.from("a").opened(2, START + 20 * WINDOW, 200, false).send();

    assertThat(ledger.state.trust().abusedUntilNanos()).isEqualTo(START + 22 * WINDOW);
  }

  @Test
  void abused_ruleThatOnlyWatches_marksNothing() {
    ledger.rule = ledger.rule.withMode(Mode.SHADOW);

    assertThat(opens("a", 300).exhausted).isEmpty();
    assertThat(ledger.state.trust().abuses()).isZero();
  }

  @Test
  void forgettable_isNotWhileAbuseIsRemembered() {
    opens("a", 200);

    assertThat(ledger.state.forgettableFrom(0)).isGreaterThanOrEqualTo(START + 4 * WINDOW);
  }
}
