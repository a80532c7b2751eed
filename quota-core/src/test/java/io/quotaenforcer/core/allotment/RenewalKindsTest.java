package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import org.junit.jupiter.api.Test;

/** How permits come back to a share, by the algorithm of its limit. */
class RenewalKindsTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long NEVER = Long.MAX_VALUE;
  private static final Limit COUNTER = new SlidingWindow(100, SECOND);
  private static final Limit PARTS = new SlidingSubWindows(100, SECOND, 10);
  private static final Limit LOG = new SlidingLog(100, SECOND, false);
  private static final Limit INTERVAL = new IntervalBucket(100, SECOND, 200, 200);
  private static final Limit[] SLIDING = {COUNTER, PARTS, LOG};

  /** Borders are whole seconds, and the parts of them. */
  private static ShareCell share(Limit limit, long permits) {
    return new ShareCell(7, terms(1, permits), limit, 0, NEVER);
  }

  private static RateShare terms(long number, long permits) {
    return new RateShare(number, permits, 2_000 * permits);
  }

  private static int takeAll(ShareCell share, long now) {
    int taken = 0;
    while (taken < 1_000 && share.tryTake(1, now)) {
      taken++;
    }
    return taken;
  }

  private static long use(ShareCell share, long now) {
    return share.withUse(share.usage(Long.MIN_VALUE), now).share().used();
  }

  @Test
  void slidingShare_beginsWhole_andIsWholeAgainOnceNothingCounts() {
    for (Limit limit : SLIDING) {
      ShareCell share = share(limit, 10);

      assertThat(takeAll(share, 5 * MILLI)).isEqualTo(10);
      assertThat(takeAll(share, 899 * MILLI)).as("%s", limit).isZero();
      assertThat(takeAll(share, 2 * SECOND)).as("%s", limit).isEqualTo(10);
    }
  }

  @Test
  void counter_windowBefore_fades_roundedUp() {
    ShareCell share = share(COUNTER, 10);
    takeAll(share, 0);

    assertThat(takeAll(share, 1_099 * MILLI)).isZero();
    assertThat(takeAll(share, 1_100 * MILLI)).isEqualTo(1);
    assertThat(share.nanosUntil(1, 1_100 * MILLI)).isEqualTo(100 * MILLI);
    assertThat(use(share, 1_150 * MILLI)).as("1 and 8.5").isEqualTo(10);
    assertThat(takeAll(share, 1_500 * MILLI)).isEqualTo(4);
  }

  @Test
  void parts_countUntilThePartIsAPeriodAgo() {
    ShareCell share = share(PARTS, 10);
    assertThat(share.tryTake(4, 50 * MILLI)).isTrue();
    assertThat(share.tryTake(6, 150 * MILLI)).isTrue();

    assertThat(share.nanosUntil(5, 500 * MILLI)).isEqualTo(600 * MILLI);
    assertThat(takeAll(share, SECOND - 1)).isZero();
    assertThat(takeAll(share, SECOND)).isEqualTo(4);
    assertThat(takeAll(share, 1_100 * MILLI)).isEqualTo(6);
  }

  @Test
  void log_countsForAPeriod_andASixtyFourthOfItAtMost() {
    ShareCell share = share(LOG, 10);
    takeAll(share, 500 * MILLI);

    assertThat(takeAll(share, 1_500 * MILLI - 1)).isZero();
    assertThat(takeAll(share, 1_500 * MILLI + SECOND / 64 + 1)).isEqualTo(10);
  }

  @Test
  void intervalBucket_beginsEmpty_isRefilledAtBorders_asFarAsItFits() {
    ShareCell share = share(INTERVAL, 10);

    assertThat(takeAll(share, SECOND - 1)).isZero();
    assertThat(share.nanosUntil(11, 500 * MILLI)).isEqualTo(1_500 * MILLI);
    assertThat(takeAll(share, SECOND)).isEqualTo(10);
    assertThat(takeAll(share, 9 * SECOND)).isEqualTo(20);
    assertThat(use(share, 9 * SECOND)).isEqualTo(20);
  }

  @Test
  void putBack_inTheSlotOfItsTaking_isThereAgain() {
    for (Limit limit : SLIDING) {
      ShareCell share = share(limit, 10);
      share.tryTake(10, 5 * MILLI);
      share.putBack(4, 5 * MILLI);

      assertThat(takeAll(share, 6 * MILLI)).as("%s", limit).isEqualTo(4);
      assertThat(share.used()).isEqualTo(10);
    }
  }

  @Test
  void putBackAndRefund_afterTheBorder_areCounted_butNotThereAgain() {
    for (Limit limit : SLIDING) {
      ShareCell share = share(limit, 10);
      share.tryTake(10, 5 * MILLI);
      // The first decision after the border.
      assertThat(share.tryTake(1, SECOND)).isEqualTo(limit == PARTS);
      share.putBack(4, 5 * MILLI);
      share.refund(3, false, 5 * MILLI, SECOND);

      assertThat(takeAll(share, SECOND)).as("%s", limit).isEqualTo(limit == PARTS ? 9 : 0);
      assertThat(share.used()).isEqualTo(limit == PARTS ? 13 : 3);
    }
  }

  @Test
  void refund_ofABucket_beforeTheRefill_isThereAgain() {
    ShareCell share = share(INTERVAL, 10);
    assertThat(share.tryTake(10, SECOND)).isTrue();
    share.refund(4, false, SECOND, SECOND + 5);
    assertThat(takeAll(share, SECOND + 5)).isEqualTo(4);

    assertThat(share.tryTake(10, 2 * SECOND)).isTrue();
    assertThat(share.tryTake(1, 3 * SECOND)).isTrue();
    share.refund(4, false, 2 * SECOND, 3 * SECOND);
    assertThat(takeAll(share, 3 * SECOND)).isEqualTo(9);
  }

  @Test
  void decision_byAReadingFromBeforeTheBorder_getsNoMoreThanThereWasThen() {
    for (Limit limit : new Limit[] {COUNTER, PARTS, LOG, INTERVAL}) {
      ShareCell share = share(limit, 10);
      takeAll(share, SECOND + 1);
      assertThat(takeAll(share, 4 * SECOND)).as("%s", limit).isPositive();

      assertThat(share.tryTake(1, SECOND + 2)).as("%s", limit).isFalse();
    }
  }

  @Test
  void fewerPermits_countWhatIsUsed_andMoreAreThereAtOnce() {
    for (Limit limit : SLIDING) {
      ShareCell share = share(limit, 10);
      assertThat(share.tryTake(8, 5 * MILLI)).isTrue();
      share.follow(terms(2, 5), NEVER, 0, 6 * MILLI);
      assertThat(use(share, 6 * MILLI)).isEqualTo(8);
      assertThat(takeAll(share, 6 * MILLI)).isZero();

      share.follow(terms(3, 20), NEVER, 0, 7 * MILLI);
      assertThat(takeAll(share, 7 * MILLI)).as("%s", limit).isEqualTo(12);
    }
  }

  @Test
  void otherTerms_ofAnIntervalBucket_keepWhatIsThere_asFarAsItFits() {
    ShareCell share = share(INTERVAL, 10);
    assertThat(share.tryTake(1, SECOND)).isTrue();
    share.follow(terms(2, 40), NEVER, 0, SECOND);
    assertThat(takeAll(share, SECOND)).isEqualTo(9);
    share.follow(terms(3, 2), NEVER, 0, 2 * SECOND);
    assertThat(takeAll(share, 2 * SECOND)).isEqualTo(4);
  }

  @Test
  void sealed_namesWhatWasUsedThen() {
    ShareCell share = share(LOG, 10);
    share.tryTake(8, 5 * MILLI);
    share.seal(6 * MILLI);

    CellUsage usage = share.usage(5 * SECOND);
    assertThat(usage.share().used()).isEqualTo(8);
    assertThat(usage.shareNumber()).isEqualTo(RateShare.ENDED);
  }

  @Test
  void steadyBucket_use_isWhatIsMissing_roundedUp() {
    ShareCell share = share(new TokenBucket(100, SECOND, 100), 10);

    assertThat(use(share, 0)).isEqualTo(20);
    assertThat(use(share, 150 * MILLI)).isEqualTo(19);
    assertThat(use(share, 5 * SECOND)).isZero();
  }

  @Test
  void steadyBucket_beginsWithWhatWasFilled_asFarAsItFits() {
    Limit bucket = new TokenBucket(100, SECOND, 100);
    for (long filled : new long[] {0, 5, 20, 21}) {
      ShareCell share = new ShareCell(7, new RateShare(1, 10, 20_000, filled), bucket, 0, NEVER);
      assertThat(takeAll(share, 0)).as("%d", filled).isEqualTo((int) Math.min(20, filled));
    }
  }

  /** Of products that no long holds. */
  @Test
  void counter_ofHugeNumbers_fadesToThePermit() {
    long day = 86_400 * SECOND;
    long permits = 1_000_000_000_000L;
    ShareCell share =
        new ShareCell(7, terms(1, permits), new SlidingWindow(permits, day), 0, NEVER);
    assertThat(share.tryTake(permits, 0)).isTrue();
    assertThat(share.roomAt(day + day / 2)).isEqualTo(permits / 2);
    assertThat(share.roomAt(day + day / 2 - 1)).isEqualTo(permits / 2 - 1);
    assertThat(share.nanosUntil(permits / 4 * 3, day + day / 2)).isEqualTo(day / 4);
  }

  @Test
  void counter_refund_inTheSlotOfItsTaking_isThereAgain() {
    for (Limit limit : SLIDING) {
      ShareCell share = share(limit, 10);
      share.tryTake(10, 5 * MILLI);
      share.refund(4, false, 5 * MILLI, 6 * MILLI);
      assertThat(takeAll(share, 6 * MILLI)).as("%s", limit).isEqualTo(4);
    }
  }
}
