package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShareCellTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long NEVER = Long.MAX_VALUE;
  private static final Limit BUCKET = new TokenBucket(1_000, SECOND, 100);

  /** One permit in 10 ms, at most 2.5 at once. */
  private static ShareCell share() {
    return new ShareCell(7, new RateShare(1, 100, 2_500), BUCKET, 0, NEVER);
  }

  private static int takeAll(ShareCell share, long now) {
    int taken = 0;
    while (share.tryTake(1, now)) {
      taken++;
    }
    return taken;
  }

  @Test
  void share_beginsEmpty_andFillsAtItsRate() {
    ShareCell share = share();

    assertThat(share.tryTake(1, 0)).isFalse();
    assertThat(share.tryTake(1, 10 * MILLI - 1)).isFalse();
    assertThat(share.tryTake(1, 10 * MILLI)).isTrue();
    assertThat(share.tryTake(1, 10 * MILLI)).isFalse();
    assertThat(share.tryTake(1, 20 * MILLI)).isTrue();
  }

  @Test
  void share_leftAlone_holdsItsBurstOnly() {
    ShareCell share = share();

    assertThat(share.roomAt(SECOND)).isEqualTo(2);
    assertThat(takeAll(share, SECOND)).isEqualTo(2);
    // Half a permit was left.
    assertThat(share.tryTake(1, SECOND + 5 * MILLI)).isTrue();
    assertThat(share.tryTake(1, SECOND + 14 * MILLI)).isFalse();
  }

  @Test
  void cost_aboveTheBurst_neverFindsRoom() {
    ShareCell share = share();

    assertThat(share.holds(2)).isTrue();
    assertThat(share.holds(3)).isFalse();
    assertThat(share.tryTake(3, 10 * SECOND)).isFalse();
    assertThat(share.nanosUntil(3, SECOND)).isEqualTo(NEVER);
    assertThat(share.nanosUntil(2, 5 * MILLI)).isBetween(15 * MILLI, 15 * MILLI + 1);
  }

  @Test
  void permits_waitedFor_cameOneAfterTheOther_noSoonerThanTheWaitOrTheTermsBegan() {
    ShareCell share = new ShareCell(7, new RateShare(1, 100, 1_000), BUCKET, 5 * MILLI, NEVER);
    long now = 50 * MILLI;

    assertThat(share.cameAt(1, 0, 10 * MILLI)).isEqualTo(10 * MILLI);
    long since = 0;
    for (int i = 1; i <= 4; i++) {
      long came = share.cameAt(1, since, now);
      assertThat(came).isBetween((5 + 10 * i) * MILLI, (5 + 10 * i) * MILLI + i);
      assertThat(share.tryTake(1, came)).isTrue();
      since = came;
    }
    assertThat(share.cameAt(1, since, now)).as("none has come").isEqualTo(now);
    assertThat(share.tryTake(1, now)).isFalse();
  }

  @Test
  void decision_byAnOldClockReading_getsWhatThatTimeHeld() {
    ShareCell share = share();
    assertThat(takeAll(share, SECOND)).isEqualTo(2);

    assertThat(share.tryTake(1, 10 * MILLI)).isFalse();
    assertThat(share.tryTake(1, SECOND + 10 * MILLI)).isTrue();
  }

  @Test
  void putBack_isThereAgain_butNotBeyondTheBurst() {
    ShareCell share = share();
    assertThat(share.tryTake(2, SECOND)).isTrue();
    share.putBack(2, 0);
    assertThat(takeAll(share, SECOND)).isEqualTo(2);

    assertThat(share.tryTake(2, 2 * SECOND)).isTrue();
    assertThat(share.roomAt(3 * SECOND)).isEqualTo(2);
    share.putBack(2, 0);
    assertThat(takeAll(share, 3 * SECOND)).isEqualTo(2);
  }

  @Test
  void otherTerms_goOnWithWhatIsThere_asFarAsItFits() {
    ShareCell share = share();
    share.follow(new RateShare(2, 1_000, 20_000), NEVER, 0, SECOND);

    assertThat(share.usage(0).shareNumber()).isEqualTo(2);
    assertThat(takeAll(share, SECOND + 10)).isEqualTo(2);
    assertThat(takeAll(share, SECOND + MILLI)).isEqualTo(1);
    share.follow(new RateShare(3, 10, 1_000), NEVER, 0, 2 * SECOND);
    assertThat(takeAll(share, 2 * SECOND + MILLI)).isEqualTo(1);
  }

  @Test
  void emptyTerms_giveNothing_untilThereAreOthers() {
    ShareCell share = share();
    share.follow(new RateShare(2, 0, 0), NEVER, 0, SECOND);

    assertThat(takeAll(share, 2 * SECOND)).isZero();
    assertThat(share.roomAt(2 * SECOND)).isZero();
    share.follow(new RateShare(3, 100, 2_000), NEVER, 0, 3 * SECOND);
    assertThat(takeAll(share, 3 * SECOND)).isZero();
    assertThat(takeAll(share, 3 * SECOND + 11 * MILLI)).isEqualTo(1);
  }

  @Test
  void olderTerms_changeNothing() {
    ShareCell share = share();
    share.follow(new RateShare(5, 100, 1_000), NEVER, 0, SECOND);
    share.follow(new RateShare(4, 900, 9_000), NEVER, 0, SECOND);

    assertThat(share.usage(0).shareNumber()).isEqualTo(5);
    assertThat(takeAll(share, 2 * SECOND)).isEqualTo(1);
  }

  @Test
  void sealed_saysThatItHasEnded_andGivesNothing() {
    ShareCell share = share();
    assertThat(share.tryTake(1, SECOND)).isTrue();
    share.seal(SECOND);

    assertThat(share.usage(0).shareNumber()).isEqualTo(RateShare.ENDED);
    assertThat(takeAll(share, 2 * SECOND)).isZero();
    CellUsage closed = share.usage(2 * SECOND);
    assertThat(closed.closed()).isTrue();
    assertThat(closed.used()).isEqualTo(1);
    assertThat(closed.granted()).isZero();
  }

  @Test
  void validity_ends_andIsRenewed() {
    ShareCell share = new ShareCell(7, new RateShare(1, 100, 2_500), BUCKET, 0, SECOND);

    assertThat(share.tryTake(1, SECOND)).isFalse();
    share.follow(new RateShare(1, 100, 2_500), 2 * SECOND, 0, SECOND);
    assertThat(share.tryTake(1, SECOND)).isTrue();
  }

  /** A change of terms costs no permit, however often it comes. */
  @Test
  void otherTerms_ofABucketThatIsNotFull_keepAllThatIsThere() {
    ShareCell share = new ShareCell(7, new RateShare(1, 100, 10_000), BUCKET, 0, NEVER);
    for (int number = 2; number <= 5; number++) {
      share.follow(new RateShare(number, 100, 10_000), NEVER, 0, 50 * MILLI);
    }

    assertThat(takeAll(share, 51 * MILLI)).isEqualTo(5);
    assertThat(share.used()).isEqualTo(5);
  }

  @Test
  void partOfTheCapacity_isMostOfWhatGoesWithTheRate_ofABucketOnly() {
    // A tenth of the rate goes with a tenth of the capacity, which is 10.
    assertThat(withBurst(BUCKET, 5_000).isAllOfBucket(SECOND)).isFalse();
    assertThat(withBurst(BUCKET, 5_001).isAllOfBucket(SECOND)).isTrue();
    Limit window = new SlidingWindow(1_000, SECOND);
    assertThat(withBurst(window, 100_000).isAllOfBucket(SECOND)).isFalse();
    assertThat(share().permitsPerNano()).isEqualTo(1e-7);
  }

  private static ShareCell withBurst(Limit limit, long burstMillis) {
    return new ShareCell(7, new RateShare(1, 100, burstMillis), limit, 0, NEVER);
  }

  @Test
  void newerTerms_bringThePermitsThatWereFilledSince_once() {
    ShareCell share = new ShareCell(7, new RateShare(1, 100, 10_000, 2), BUCKET, 0, NEVER);
    share.follow(new RateShare(2, 100, 10_000, 5), NEVER, 0, 1);
    share.follow(new RateShare(2, 100, 10_000, 9), NEVER, 0, 2);

    assertThat(takeAll(share, MILLI)).isEqualTo(5);
  }

  /** Terms that are begun anew say nothing of what came to somebody who waited before. */
  @Test
  void sameTerms_areBegunAnew_afterMoreThanAnHour_withWhatIsThere() {
    long hour = 3_600 * SECOND;
    ShareCell share = new ShareCell(7, new RateShare(1, 100, 1_000, 0), BUCKET, SECOND, NEVER);
    share.follow(new RateShare(1, 100, 1_000, 9), NEVER, 0, SECOND + hour);
    assertThat(share.cameAt(1, 0, SECOND + hour + 10)).isLessThan(SECOND + hour);

    share.follow(new RateShare(1, 100, 1_000, 9), NEVER, 0, SECOND + hour + 1);
    assertThat(share.cameAt(1, 0, SECOND + hour + 10)).isGreaterThan(SECOND + hour);
    assertThat(share.roomAt(SECOND + hour + 11 * MILLI)).isEqualTo(1);
    assertThat(share.usage(0).shareNumber()).isEqualTo(1);
  }

  @Test
  void permits_arePastWaitingFor_onceTheShareHasEnded_orNobodyWaitedBefore() {
    ShareCell share = share();
    assertThat(share.cameAt(1, 20 * MILLI, 20 * MILLI)).isEqualTo(20 * MILLI);
    assertThat(share.cameAt(1, 50 * MILLI, 20 * MILLI)).isEqualTo(20 * MILLI);

    share.seal(20 * MILLI);
    assertThat(share.cameAt(1, 0, 30 * MILLI)).isEqualTo(30 * MILLI);
  }

  @Test
  void putBack_countsAsRoom_andAsPermitsOfTheHolder() {
    ShareCell share = share();
    assertThat(share.tryTake(2, SECOND)).isTrue();
    assertThat(share.roomAt(SECOND)).isZero();
    share.putBack(2, SECOND);

    assertThat(share.roomAt(SECOND)).isEqualTo(2);
    assertThat(share.leased(2)).isEqualTo(2);
  }

  @Test
  void refill_isAtTheBorderByTheInstancesClock_afterTheAnswerThatGrantsTheShare() {
    Limit limit = new IntervalBucket(100, SECOND, 200, 200);
    ShareCell.Border border = new ShareCell.Border(300 * MILLI, 7 * SECOND, 300 * MILLI);
    RateShare terms = new RateShare(1, 10, 20_000);
    ShareCell at = new ShareCell(7, terms, limit, border, 7 * SECOND, 400 * MILLI, NEVER);
    ShareCell later = new ShareCell(7, terms, limit, border, 8 * SECOND, 400 * MILLI, NEVER);

    assertThat(border.toLocal(8 * SECOND)).isEqualTo(1_300 * MILLI);
    assertThat(at.nanosUntil(1, 400 * MILLI)).isEqualTo(900 * MILLI);
    assertThat(later.nanosUntil(1, 400 * MILLI)).isEqualTo(1_900 * MILLI);
  }

  /** By the first answer the border was told a loop of 40 ms too early: it was half of that. */
  @Test
  void border_isPutOff_asTheClockGetsKnown_byNoMoreThanWasUncertain() {
    PartitionLink link = new PartitionLink(BookSettings.defaults(), 0);
    link.answered(0, 30 * MILLI, 40 * MILLI);
    ShareCell.Border first = ShareCell.Border.of(7 * SECOND, link);
    assertThat(first).isEqualTo(new ShareCell.Border(6_970 * MILLI, 7 * SECOND, 7_010 * MILLI));
    ShareCell share =
        new ShareCell(
            7, new RateShare(1, 10, 20_000), new SlidingWindow(100, SECOND), first, 0, 0, NEVER);
    assertThat(share.tryTake(10, 7_500 * MILLI)).isTrue();
    assertThat(share.nanosUntil(10, 7_960 * MILLI)).isEqualTo(1_010 * MILLI);

    link.answered(7_950 * MILLI, 7_960 * MILLI, 7_960 * MILLI);
    share.putOffBorders(link, 7_960 * MILLI);
    assertThat(share.nanosUntil(10, 7_960 * MILLI)).isEqualTo(1_030 * MILLI);

    assertThat(first.asKnownNow(noLaterThan(28))).as("2 ms").isNotEqualTo(first);
    assertThat(first.asKnownNow(noLaterThan(29))).as("1 ms").isSameAs(first);
    assertThat(first.asKnownNow(noLaterThan(500))).as("earlier").isSameAs(first);
    assertThat(first.asKnownNow(noLaterThan(-500)).localNanos()).isEqualTo(7_010 * MILLI);
    PartitionLink unknown = new PartitionLink(BookSettings.defaults(), 0);
    assertThat(first.asKnownNow(unknown)).isSameAs(first);
  }

  /** Of an enforcer whose clock is ahead by as much at most, and may be far less so. */
  private static PartitionLink noLaterThan(long millis) {
    PartitionLink link = new PartitionLink(BookSettings.defaults(), 0);
    link.answered(0, millis * MILLI, 10 * SECOND);
    return link;
  }

  /** Bounds that are worse than those before say nothing of the border. */
  @Test
  void border_isNotPutOff_whenTheClockIsKnownWorse() {
    PartitionLink link = new PartitionLink(BookSettings.defaults(), 0);
    link.answered(0, MILLI, 11 * MILLI);
    ShareCell.Border first = ShareCell.Border.of(7 * SECOND, link);
    link.answered(30 * SECOND, 30 * SECOND, 30 * SECOND + 100 * MILLI);
    link.answered(60 * SECOND, 60 * SECOND, 60 * SECOND + 100 * MILLI);

    assertThat(first.asKnownNow(link)).isSameAs(first);
  }

  /** Parts of so long a time would run over: such a share holds nothing. */
  @ParameterizedTest
  @ValueSource(longs = {30, 105, 209, 250, 400})
  void share_ofALongPeriod_isNeverMoreThanItsPermits(long days) {
    long day = 24 * 3_600 * SECOND;
    for (long permits : new long[] {1, 4}) {
      for (long burst : new long[] {1, 4, 1_000}) {
        RateShare terms = new RateShare(1, permits, burst * 1_000, burst);
        Limit limit = new TokenBucket(50, days * day, 50);
        ShareCell share = new ShareCell(7, terms, limit, 0, NEVER);
        long taken = 0;
        for (int i = 0; i < 2_000; i++) {
          taken += share.tryTake(1, i * SECOND) ? 1 : 0;
        }
        assertThat(taken).isIn(0L, burst);
      }
    }
  }

  /** Of many permits each comes soon enough to be counted, however long the period is. */
  @ParameterizedTest
  @ValueSource(longs = {30, 105, 209, 250, 400})
  void share_ofALongPeriod_withManyPermits_holdsItsBurst(long days) {
    Limit limit = new TokenBucket(50, days * 24 * 3_600 * SECOND, 50);
    RateShare terms = new RateShare(1, 1_000_000_000, 4_000, 4);
    ShareCell share = new ShareCell(7, terms, limit, 0, NEVER);

    assertThat(share.tryTake(4, 0)).isTrue();
    assertThat(share.tryTake(1, 0)).isFalse();
  }

  @Test
  void anyTerms_overAnyTime_neverMoreThanBurstAndRate() {
    Seeded.check(
        300,
        random -> {
          long period = Limit.MIN_PERIOD_NANOS + random.nextLong(100 * SECOND);
          long permits = 1 + random.nextLong(random.nextBoolean() ? 50 : 1_000_000);
          long millis = 1_000 + random.nextLong(50_000);
          Limit limit = new TokenBucket(1, period, 1);
          ShareCell share = new ShareCell(1, new RateShare(1, permits, millis), limit, 0, NEVER);
          long now = 0;
          double level = 0;
          for (int i = 0; i < 200; i++) {
            long passes = random.nextLong(1 + 3 * period / permits);
            now += passes;
            level = Math.min(millis / 1e3, level + passes * (double) permits / period);
            while (share.tryTake(1, now)) {
              level--;
            }
            assertThat(level).isGreaterThanOrEqualTo(-1e-6).isLessThan(1.01);
          }
        });
  }
}
