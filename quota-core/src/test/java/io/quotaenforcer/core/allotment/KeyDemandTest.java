package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.RateShare;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What an instance says that it is asked for, and what it expects. */
class KeyDemandTest {
  private static final Limit WINDOW = new FixedWindow(1_000, SECOND);

  private final LookedAtKey key = new LookedAtKey();

  private double reported() {
    return key.demand.reported(key.judged(), false);
  }

  @Test
  void measured_noMoreOftenThanInAReportInterval() {
    long measured = key.demand.measuredNanos();
    key.asks(1_000, 15 * MILLI - 1);
    assertThat(key.demand.measuredNanos()).isEqualTo(measured);
    assertThat(key.demand.perSecond()).isZero();
    key.asks(0, 1);
    assertThat(key.demand.measuredNanos()).isEqualTo(measured + 15 * MILLI);
    assertThat(key.demand.perSecond()).isCloseTo(1_000 / 0.015, within(0.1));
  }

  @Test
  void measured_countsRequestsThatWait_andNoneThatTheLimitNeverHolds() {
    key.unmet.refuse(400, 100);
    key.unmet.await(300);
    key.asks(1_100);
    assertThat(key.demand.perSecond()).isEqualTo(1_000);
  }

  @Test
  void reported_isTheAverage_butALullIsBelievedAtOnceWhereOthersLackPermits() {
    key.asks(1_000).asks(0, SECOND / 10);
    assertThat(reported()).isEqualTo(key.demand.perSecond()).isGreaterThan(400);
    assertThat(key.demand.leastPerSecond()).isZero();
    assertThat(key.scarce(100).demand.perSecond(key.judged())).isZero();
  }

  @Test
  void reported_keyIsIdleOrLeft_isNothing() {
    key.asks(1_000);
    assertThat(key.demand.reported(key.judged(), true)).isZero();
    key.idleFrom = key.now;
    assertThat(reported()).isZero();
  }

  @Test
  void reported_demandForAShareHasFallen_isBelievedAtOnce() {
    key.asks(1_000).shared(100);
    assertThat(reported()).isEqualTo(1_000);
    key.asks(0, SECOND / 4);
    assertThat(key.demand.leavesItsShare(key.judged())).isTrue();
    assertThat(reported()).isZero();
    assertThat(key.demand.leavesItsShare(key.judged())).as("it is said").isFalse();
  }

  /** It holds what comes in a tenth of a second, of which a fifth comes until the next report. */
  @ParameterizedTest
  @CsvSource({"0, true", "59, true", "60, false"})
  void shareOfABucket_whatComesInALullIsKept_untilItIsFull(long moreMillis, boolean keeps) {
    key.asks(1_000).shared(new RateShare(1, 100, 10_000), LookedAtKey.NEVER);
    reported();
    key.asks(0, 20 * MILLI);
    key.now += moreMillis * MILLI;
    assertThat(key.demand.leavesItsShare(key.judged())).isEqualTo(!keeps);
    assertThat(key.demand.leavesShareOfBucket(key.judged())).isEqualTo(!keeps);
    assertThat(reported()).isEqualTo(keeps ? 1_000 : 0);
  }

  @Test
  void reported_ofSlots_isHowManyAreWanted() {
    key.of(new ConcurrencyLimit(10, 10 * SECOND)).asks(1_000);
    key.demand.measureSlots(3, 1, key.view());
    assertThat(reported()).isEqualTo(4);
    assertThat(key.demand.hasFallen(key.judged())).isFalse();
    key.now += SECOND;
    key.demand.measureSlots(0, 0, key.view());
    assertThat(key.demand.hasFallen(key.judged())).isTrue();
  }

  @Test
  void slots_fewerByLessThanHalf_haveNotFallen() {
    key.of(new ConcurrencyLimit(10, 10 * SECOND));
    key.demand.measureSlots(4, 0, key.view());
    reported();
    key.now += 100 * SECOND;
    key.demand.measureSlots(2, 0, key.view());
    assertThat(key.demand.hasFallen(key.judged())).isFalse();
    key.now += 100 * SECOND;
    key.demand.measureSlots(1, 0, key.view());
    assertThat(key.demand.hasFallen(key.judged())).isTrue();
  }

  /** The enforcer reckons with what three loops need; with a share, with what a lease does. */
  @ParameterizedTest
  @CsvSource({"17, false, true", "16, false, false", "16, true, true"})
  void demand_gone_hasFallen_ifThatMattersToTheEnforcer(long asks, boolean share, boolean fallen) {
    // Fewer are not certain to be measured as they are.
    key.asks(asks, 10 * SECOND).asks(9 * asks, 9 * SECOND);
    double perSecond = reported();
    assertThat(perSecond).isCloseTo(asks, within(0.01));
    key.asks(0, SECOND);
    if (share) {
      key.shared(1);
    }
    assertThat(key.demand.hasFallen(key.judged())).isEqualTo(fallen);
  }

  @Test
  void horizon_isThreeLoops_orUntilTheWindowEnds() {
    key.leased(10);
    assertThat(key.demand.horizon(key.judged(), key.lease)).isEqualTo(120.0 * MILLI);
    key.of(WINDOW).leased(10);
    assertThat(key.demand.horizon(key.judged(), key.lease)).isEqualTo(120.0 * MILLI);
    key.now += 400 * MILLI;
    assertThat(key.demand.horizon(key.judged(), key.lease)).isEqualTo(100.0 * MILLI);
    key.now += 200 * MILLI;
    assertThat(key.demand.horizon(key.judged(), key.lease)).isZero();
  }

  @Test
  void beside_aRenewingShare_isWhatNeitherIsInItNorComes() {
    key.asks(1_000).shared(100);
    assertThat(beside(SECOND)).isCloseTo(900, within(1e-6));
    key.now += 50 * MILLI;
    assertThat(beside(SECOND)).as("with 5 in it").isCloseTo(895, within(1e-6));
  }

  /** Half of the window is left. */
  @Test
  void beside_aShareOfAWindow_isWhatTheWindowLacks_inThatTimeAtMost() {
    key.of(WINDOW).asks(1_000).sharedWindow(300, 0);
    assertThat(beside(SECOND)).isCloseTo(200, within(1e-6));
    assertThat(beside(100 * MILLI)).isCloseTo(100, within(1e-6));
  }

  private double beside(double horizon) {
    return key.demand.beside(key.share, key.judged(), horizon);
  }

  @ParameterizedTest
  @CsvSource({"15, 8, true", "16, 8, false", "15, 9, false"})
  void permitForNoRequest_isLeftToOthers_ifFewRemain_andNoneIsExpected(
      long left, long perSecond, boolean leaves) {
    key.asks(perSecond, SECOND).asks(perSecond, SECOND).left(left);
    assertThat(key.demand.leavesSpare(key.judged())).as("callers do not wait").isFalse();
    key.unmet.await(1);
    key.unmet.await(-1);
    assertThat(key.demand.leavesSpare(key.judged())).isEqualTo(leaves);
  }

  @Test
  void permitForNoRequest_nothingKnown_isLeftToOthers_butSlotsAreNot() {
    key.unmet.await(1);
    key.unmet.await(-1);
    assertThat(key.demand.leavesSpare(key.judged())).isTrue();
    key.of(new ConcurrencyLimit(10, 10 * SECOND));
    assertThat(key.demand.leavesSpare(key.judged())).isFalse();
  }

  /** A share of a bucket that was made for a thousand a second, for which nobody asks any more. */
  private void leftAlone() {
    key.asks(1_000).shared(100);
    reported();
    key.asks(0);
  }

  @Test
  void shareOfABucket_leftAlone_isGivenUp_andTheFallIsBelieved() {
    leftAlone();
    assertThat(key.demand.perSecond()).isPositive();
    assertThat(key.demand.leavesShareOfBucket(key.judged())).isTrue();
    assertThat(key.demand.perSecond()).isZero();
    assertThat(key.demand.leavesShareOfBucket(key.judged())).as("peak is over").isFalse();
  }

  static List<Consumer<LookedAtKey>> thoseWhoKeepTheirShare() {
    return List.of(
        key -> key.share = null,
        key -> key.of(WINDOW).shared(100),
        key -> key.of(new SlidingWindow(1_000, SECOND)).shared(100),
        key -> {
          key.answersIn(SECOND / 8);
          key.shared(new RateShare(2, 100, 50_001), LookedAtKey.NEVER);
        },
        key -> key.link.sent(key.now - SECOND),
        key -> key.asks(100));
  }

  @ParameterizedTest
  @MethodSource("thoseWhoKeepTheirShare")
  void share_isKept(Consumer<LookedAtKey> change) {
    leftAlone();
    change.accept(key);
    assertThat(key.demand.leavesShareOfBucket(key.judged())).isFalse();
  }

  @Test
  void shareOfABucket_thatIsNotMostOfIt_isGivenUp() {
    leftAlone();
    key.answersIn(SECOND / 8);
    key.shared(new RateShare(2, 100, 50_000), LookedAtKey.NEVER);
    key.now += SECOND / 2;
    assertThat(key.demand.leavesShareOfBucket(key.judged())).isTrue();
  }
}
