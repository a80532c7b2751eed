package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.RateShare;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a share says of its permits agrees with what can be taken, whatever was taken before. */
class ShareRelationsTest {
  private static final long PERIOD = 1_000;
  private static final long NEVER = Long.MAX_VALUE;
  private static final long PERMITS = 7;

  static List<Limit> limits() {
    long period = 1_000_000 * PERIOD;
    return List.of(
        new SlidingWindow(100, period),
        new SlidingSubWindows(100, period, 10),
        new SlidingLog(100, period, false),
        new IntervalBucket(100, period, 200, 200),
        new TokenBucket(100, period, 100));
  }

  private static ShareCell share(Limit limit) {
    return new ShareCell(7, new RateShare(1, PERMITS, 2_000 * PERMITS), limit, 0, NEVER);
  }

  /** The first time at which they are there, to the nanosecond or the next one. */
  private static void assertComeAfter(ShareCell share, long permits, long now) {
    long wait = share.nanosUntil(permits, now);
    if (share.roomAt(now) >= permits) {
      assertThat(wait).isLessThanOrEqualTo(1);
    } else {
      assertThat(share.roomAt(now + wait)).isGreaterThanOrEqualTo(permits);
      assertThat(share.roomAt(now + wait - 2)).isLessThan(permits);
    }
  }

  private static void step(ShareCell share, long now, SplittableRandom random) {
    for (long permits = 1; share.holds(permits); permits++) {
      assertComeAfter(share, permits, now);
    }
    long room = share.roomAt(now);
    assertThat(share.tryTake(room + 1, now)).isFalse();
    long some = random.nextLong(room + 1);
    if (some > 0) {
      assertThat(share.tryTake(some, now)).isTrue();
      assertThat(share.roomAt(now)).isEqualTo(room - some);
    }
    if (some > 0 && random.nextInt(4) == 0) {
      share.putBack(some, now);
      assertThat(share.roomAt(now)).isEqualTo(room);
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void room_isWhatCanBeTaken_andComesWhenItIsSaidTo(Limit limit) {
    Seeded.check(
        40,
        random -> {
          ShareCell share = share(limit);
          long now = 0;
          for (int i = 0; i < 20; i++) {
            now += random.nextLong(PERIOD) * 1_000_000 / (1 + random.nextInt(8));
            step(share, now, random);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void use_andRoom_areAllThatThereCanBe(Limit limit) {
    Seeded.check(
        40,
        random -> {
          ShareCell share = share(limit);
          long most = share.holds(PERMITS + 1) ? 2 * PERMITS : PERMITS;
          long now = 0;
          for (int i = 0; i < 20; i++) {
            now += random.nextLong(PERIOD) * 1_000_000 / (1 + random.nextInt(8));
            long room = share.roomAt(now);
            long use = share.withUse(share.usage(Long.MIN_VALUE), now).share().used();
            assertThat(use + room).isEqualTo(most);
            share.tryTake(random.nextLong(PERMITS) + 1, now);
          }
        });
  }
}
