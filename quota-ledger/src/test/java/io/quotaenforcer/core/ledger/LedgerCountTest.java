package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.message.CellUsage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Use that is told of once is counted once. */
class LedgerCountTest {
  @RegisterExtension
  final TestLedger ledger = new TestLedger(new FixedWindow(100, SECOND)).overBooked();

  @Test
  void count_ofClosedCells_isBooked_andLeavesNoHolder() {
    LedgerOutcome outcome = ledger.count(1, used(-5, START, 7, 2));

    assertThat(outcome.answer()).isEmpty();
    assertThat(ledger.counted(START)).isEqualTo(7);
    assertThat(ledger.throttled(START)).isEqualTo(2);
    assertThat(ledger.booked()).isEqualTo(7);
    assertThat(ledger.available()).isEqualTo(93);
    assertThat(ledger.state.holders()).isEmpty();
  }

  @Test
  void count_ofTwoReports_addsUp_whateverTheirCellsAreCalled() {
    ledger.count(1, used(-5, START, 7, 0));
    ledger.count(1, used(-3, START, 4, 0));

    assertThat(ledger.counted(START)).isEqualTo(11);
    assertThat(ledger.booked()).isEqualTo(11);
  }

  @Test
  void count_ofALateWindow_isBookedThere() {
    ledger.passes(SECOND);
    ledger.count(1, used(-5, START, 7, 0));

    assertThat(ledger.counted(START)).isEqualTo(7);
    assertThat(ledger.booked()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 30 * 60, 17 * 3600})
  void count_ofAWindowLongAgo_isCountedThere_andChargesNothingOfThePresent(int secondsAgo) {
    long then = START - secondsAgo * SECOND;
    ledger.count(1, used(-5, then, 7, 2));

    assertThat(ledger.counted(then)).isEqualTo(7);
    assertThat(ledger.throttled(then)).isEqualTo(2);
    assertThat(ledger.counted(START)).isZero();
    assertThat(ledger.booked()).isZero();
  }

  @ParameterizedTest
  @MethodSource("withoutWindows")
  void count_longAgoOfKindsWithoutWindows_isCountedThere_andChargesNothing(Limit limit) {
    TestLedger late = new TestLedger(limit).overBooked();
    long then = START - 17 * 3600 * SECOND;
    late.count(1, used(-5, then, 7, 0));

    assertThat(late.counted(limit.windowStart(then))).isEqualTo(7);
    assertThat(late.available()).isEqualTo(100);
  }

  static Stream<Limit> withoutWindows() {
    return Stream.of(
        new SlidingWindow(100, SECOND),
        new SlidingSubWindows(100, SECOND, 10),
        new SlidingLog(100, SECOND, false),
        new TokenBucket(100, SECOND, 100),
        new IntervalBucket(100, SECOND, 100, 100),
        new WarmUpBucket(100, SECOND, 100, 100, 10 * SECOND),
        new LeakyBucket(new TokenBucket(100, SECOND, 100)));
  }

  /** As when what told of them was away: whoever comes now would have to wait for all of them. */
  @ParameterizedTest
  @MethodSource("withoutWindows")
  void count_ofABacklogOfMinutes_chargesNothingOfThePresent(Limit limit) {
    TestLedger late = new TestLedger(limit).overBooked();
    late.passes(3_600 * SECOND);
    for (int secondsAgo = 9 * 60; secondsAgo > 12; secondsAgo--) {
      late.count(1, used(-5, late.now - secondsAgo * SECOND, 80, 0));
    }
    assertThat(late.available()).isEqualTo(100);
  }

  @Test
  void count_ofMinutesAgo_chargesABucketWhatHasNotRenewedSince() {
    TestLedger late = new TestLedger(new TokenBucket(60, 60 * SECOND, 60)).overBooked();
    late.passes(3_600 * SECOND);
    // In a window of a minute that ended a minute ago.
    late.count(1, used(-5, late.now - 120 * SECOND, 60, 0));
    assertThat(late.available()).isEqualTo(60);

    TestLedger hourly = new TestLedger(new TokenBucket(60, 3_600 * SECOND, 60)).overBooked();
    hourly.passes(3_600 * SECOND);
    hourly.count(1, used(-5, hourly.now - 3_600 * SECOND, 60, 0));
    assertThat(hourly.available()).isZero();
  }

  /** As of events that come a little late all the time. */
  @Test
  void count_ofSecondsAgo_isChargedInFull() {
    TestLedger late = new TestLedger(new TokenBucket(100, SECOND, 100)).overBooked();
    late.passes(3_600 * SECOND);
    late.count(1, used(-5, late.now - 5 * SECOND, 80, 0));
    assertThat(late.available()).isEqualTo(20);
  }

  @Test
  void count_ofTheWindowBefore_bySlidingWindows_fadesAsIfToldInTime() {
    TestLedger sliding = new TestLedger(new SlidingWindow(100, 10 * SECOND)).overBooked();
    sliding.passes(15 * SECOND);
    sliding.count(1, used(-5, START, 10, 0));

    assertThat(sliding.available()).isEqualTo(95);
  }

  @Test
  void count_ofATimeFarAhead_isChargedNow() {
    ledger.count(1, used(-5, START + 3600 * SECOND, 7, 0));

    assertThat(ledger.counted(START)).isEqualTo(7);
    assertThat(ledger.booked()).isEqualTo(7);
  }

  @Test
  void count_ofAnOtherGeneration_isCounted_andChargedToNothing() {
    ledger.nextGeneration(new FixedWindow(50, SECOND));
    ledger.count(1, used(-5, START, 7, 0));
    ledger.count(3, used(-6, START, 1, 0));

    assertThat(ledger.counted(START)).isEqualTo(8);
    assertThat(ledger.booked()).isZero();
  }

  @Test
  void count_underARuleOlderThanTheLedger_isNotLost() {
    ledger.nextGeneration(new FixedWindow(50, SECOND));
    ledger.count(2, used(-5, START, 7, 0));
    ledger.rule = ledger.rule.withVersion(1, 1);
    ledger.count(2, used(-6, START, 1, 0));

    assertThat(ledger.counted(START)).isEqualTo(8);
    assertThat(ledger.booked()).isEqualTo(8);
  }

  @Test
  void count_leavesOtherHoldersAlone() {
    long granted = ledger.from("a").demand(100).send().granted();
    ledger.count(1, used(-5, START, 7, 0));

    assertThat(ledger.outstanding()).isEqualTo(granted);
    assertThat(ledger.available()).isEqualTo(93 - granted);
  }

  @Test
  void count_ofKindsWithoutWindows_isBookedNow() {
    TestLedger sliding = new TestLedger(new SlidingWindow(100, SECOND)).overBooked();
    sliding.count(1, used(-5, 0, 7, 0));
    assertThat(sliding.available()).isEqualTo(93);

    TestLedger bucket = new TestLedger(new TokenBucket(100, SECOND, 100)).overBooked();
    bucket.count(1, used(-5, 0, 7, 0));
    assertThat(bucket.available()).isEqualTo(93);
  }

  @Test
  void count_ofWhatNoCombinerSends_isRefused() {
    assertThatThrownBy(() -> ledger.count(1, used(0, START, 7, 0)))
        .isInstanceOf(InvalidReportException.class);
  }

  private static CellUsage used(long id, long window, long used, long throttled) {
    return CellUsage.of(id, window).withTaken(used).withThrottled(throttled).asClosed();
  }
}
