package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a request did not use goes back into a share of a bucket. */
class RefundIntoShareTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long NEVER = Long.MAX_VALUE;

  /** One permit in ten minutes, two at most. */
  private static final Limit SLOW = new TokenBucket(1, 600 * SECOND, 2);

  private static ShareCell full(Limit limit, long burst) {
    RateShare terms = new RateShare(1, limit.permits(), 1_000 * burst, burst);
    return new ShareCell(7, terms, limit, 0, NEVER);
  }

  private static ShareCell slow() {
    return full(SLOW, 2);
  }

  @Test
  void refund_soonAfterwards_isThereAgain() {
    ShareCell share = slow();
    for (int i = 0; i < 1_000; i++) {
      long now = i * SECOND;
      assertThat(share.roomAt(now)).isEqualTo(2);
      assertThat(share.tryTake(1, now)).isTrue();
      share.refund(1, false, now, now + 300 * MILLI);
    }

    assertThat(share.roomAt(1_000 * SECOND)).isEqualTo(2);
    assertThat(share.used()).isZero();
  }

  @Test
  void refundsOfRequestsThatRanTogether_loseWhatCameMeanwhile_once() {
    Limit limit = new TokenBucket(1, 600 * SECOND, 20);
    ShareCell share = full(limit, 20);
    for (int i = 0; i < 20; i++) {
      assertThat(share.tryTake(1, i * SECOND)).isTrue();
    }
    for (int i = 0; i < 20; i++) {
      share.refund(1, false, i * SECOND, (20 + i) * SECOND);
    }

    assertThat(share.roomAt(40 * SECOND)).isEqualTo(20);
  }

  /** The bucket would have been full, and have lost as much as came. */
  @Test
  void refund_afterThePermitHasComeAgain_isNotThereAgain() {
    ShareCell share = slow();
    assertThat(share.tryTake(1, 0)).isTrue();
    long later = 599 * SECOND;
    assertThat(share.tryTake(1, later)).isTrue();
    share.refund(1, false, 0, later);
    assertThat(share.roomAt(later)).isEqualTo(1);
    assertThat(share.tryTake(1, later)).isTrue();

    assertThat(share.nanosUntil(1, later)).isGreaterThan(599 * SECOND);
  }

  @Test
  void refund_ofMany_isLessWhatCameMeanwhile() {
    Limit limit = new TokenBucket(100, SECOND, 5);
    ShareCell share = full(limit, 5);
    assertThat(share.tryTake(5, SECOND)).isTrue();
    share.refund(4, false, SECOND, SECOND + 5 * MILLI);

    assertThat(share.nanosUntil(4, SECOND + 5 * MILLI)).isLessThanOrEqualTo(1);
    assertThat(share.nanosUntil(5, SECOND + 5 * MILLI)).isBetween(9 * MILLI, 10 * MILLI + 9);
    assertThat(share.used()).isEqualTo(1);
  }

  @Test
  void refund_ofPermitsTakenByTermsBefore_isLost() {
    ShareCell share = slow();
    assertThat(share.tryTake(1, 0)).isTrue();
    share.follow(new RateShare(2, 2, 4_000, 2), NEVER, 0, 100 * MILLI);
    share.refund(1, false, 0, 200 * MILLI);

    assertThat(share.roomAt(200 * MILLI)).isEqualTo(1);
    assertThat(share.used()).isZero();
  }

  private record Taken(long permits, long nanos) {}

  /** Permits that a request has used, as of when it took them. */
  private record Kept(long permits, long nanos) {}

  @Test
  void share_withRefunds_neverLetsThroughMoreThanABucketWithTheSameNetUse() {
    Seeded.check(3_000, RefundIntoShareTest::runWithRefunds);
  }

  private static void runWithRefunds(SplittableRandom random) {
    long permits = 1 + random.nextLong(20);
    long burst = 1 + random.nextLong(10);
    Limit limit = new TokenBucket(permits, SECOND, burst);
    ShareCell share = full(limit, burst);
    long step = SECOND / permits;
    List<Taken> running = new ArrayList<>();
    List<Kept> kept = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 100; i++) {
      now += random.nextLong(1 + (random.nextInt(8) == 0 ? 4 * step : step));
      long cost = 1 + random.nextLong(burst);
      if (random.nextBoolean() && share.tryTake(cost, now)) {
        running.add(new Taken(cost, now));
      } else if (!running.isEmpty()) {
        Taken ended = running.remove(random.nextInt(running.size()));
        long back = random.nextBoolean() ? ended.permits : random.nextLong(1 + ended.permits);
        share.refund(back, false, ended.nanos, now);
        kept.add(new Kept(ended.permits - back, ended.nanos));
      }
    }
    running.forEach(each -> kept.add(new Kept(each.permits, each.nanos)));
    kept.sort((a, b) -> Long.compare(a.nanos, b.nanos));
    double level = burst;
    long last = 0;
    for (Kept each : kept) {
      level = Math.min(burst, level + (each.nanos - last) * (double) permits / SECOND);
      level -= each.permits;
      last = each.nanos;
      assertThat(level).isGreaterThanOrEqualTo(-1e-6);
    }
  }
}
