package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WarmUpBucketTest extends LimitKit {

  @Override
  WarmUpBucket limit(long permits, long periodNanos, SplittableRandom random) {
    long capacity = Seeded.oneOf(random, 1L, permits, Math.min(permits * 3, Limits.MAX_PERMITS));
    long initial = random.nextBoolean() ? capacity : random.nextLong(capacity + 1);
    long warmUp = Seeded.oneOf(random, 1L, SECOND, MINUTE, 1 + random.nextLong(10 * SECOND), DAY);
    return new WarmUpBucket(permits, periodNanos, capacity, initial, warmUp);
  }

  @Test
  void admit_cold_climbsFromAThirdOfTheRateToAllOfIt() {
    WarmUpBucket limit = new WarmUpBucket(900, SECOND, 900, 0, 10 * SECOND);
    LimitState state = limit.initial(START);
    long[] perSecond = new long[12];
    for (int second = 0; second < perSecond.length; second++) {
      for (int i = 0; i < 1_000; i++) {
        long at = START + second * SECOND + (i + 1) * SECOND / 1_000;
        long admitted = Math.min(1, limit.available(state, at));
        state = limit.book(state, admitted, at);
        perSecond[second] += admitted;
      }
    }
    // The integral of 300 + 600 t / 10 s over each second.
    assertThat(perSecond)
        .containsExactly(330, 390, 450, 510, 570, 630, 690, 750, 810, 870, 900, 900);
  }

  @Test
  void forgettableAt_fullBucket_isAWarmUpLater() {
    WarmUpBucket limit = new WarmUpBucket(10, SECOND, 10, 10, MINUTE);
    LimitState state = limit.initial(START);
    assertThat(limit.resetAt(state, START)).isEqualTo(START);
    assertThat(limit.forgettableAt(state, START)).isEqualTo(START + MINUTE);
  }

  @Test
  void create_longWarmUp_isRefused() {
    assertThatThrownBy(() -> new WarmUpBucket(2, SECOND, 5, 5, DAY + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be above 0 and at most a day: warmUpNanos=86400000000001");
  }
}
