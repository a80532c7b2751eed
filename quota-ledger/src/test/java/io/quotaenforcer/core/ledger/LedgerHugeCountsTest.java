package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.CellUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Demand, however large, never spoils the report of use that it comes with. */
class LedgerHugeCountsTest {
  private static final long HUGE = 2_000_000_000_000_000L;

  @RegisterExtension final TestLedger ledger = new TestLedger(new FixedWindow(100, SECOND));

  @ParameterizedTest
  @ValueSource(longs = {HUGE, Long.MAX_VALUE, -2, Long.MIN_VALUE})
  void apply_moreThrottledThanCanBeCounted_countsWhatIsUsed(long throttled) {
    ledger.from("a").cell(CellUsage.of(-1, START).withTaken(5).withThrottled(throttled)).send();

    assertThat(ledger.counted(START)).isEqualTo(5);
    assertThat(ledger.throttled(START)).isBetween(0L, PermitCount.MAX_REPORTED);
  }

  @Test
  void apply_moreThrottledReportByReport_countsUpToTheBound() {
    ledger.from("a").cell(CellUsage.of(-1, START).withThrottled(7)).send();
    ledger.from("a").cell(CellUsage.of(-1, START).withThrottled(HUGE)).send();
    ledger.from("a").cell(CellUsage.of(-1, START).withTaken(1).withThrottled(2 * HUGE)).send();

    assertThat(ledger.throttled(START)).isEqualTo(PermitCount.MAX_REPORTED);
    assertThat(ledger.counted(START)).isOne();
  }

  @ParameterizedTest
  @ValueSource(longs = {HUGE, Long.MAX_VALUE, -2})
  void apply_moreNeededThanThereIs_isGrantedWhatThereIs(long needed) {
    ledger.from("a").needs(needed).demand(1).opened(1, START, 5, false).send();

    assertThat(ledger.counted(START)).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e17, Double.MAX_VALUE, Double.POSITIVE_INFINITY})
  void apply_moreDemandThanCanBeCounted_isTakenForTheMost(double perSecond) {
    assertThat(ledger.from("a").demand(perSecond).send().granted()).isPositive();
  }

  @Test
  void apply_takenAndPutBackTimeAndAgain_countsWhatIsUsed() {
    ledger.from("a").cell(CellUsage.of(-1, START).withTaken(HUGE).withPutBack(HUGE - 5)).send();

    assertThat(ledger.counted(START)).isEqualTo(5);
  }

  @Test
  void count_eventsThatAddUpToMoreThanAnyLimit_areCounted() {
    long most = PermitCount.MAX_SUM;
    LedgerOutcome outcome =
        ledger
            .overBooked()
            .count(
                1,
                CellUsage.of(-1, START).withTaken(most).asClosed(),
                CellUsage.of(-2, START).withTaken(most).withThrottled(Long.MAX_VALUE).asClosed());

    assertThat(outcome.counts())
        .containsExactly(new WindowCount(START, most, PermitCount.MAX_REPORTED));
    assertThat(ledger.available()).isNegative();
  }
}
