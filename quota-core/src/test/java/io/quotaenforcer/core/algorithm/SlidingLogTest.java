package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlidingLogTest extends LimitKit {

  @Override
  SlidingLog limit(long permits, long periodNanos, SplittableRandom random) {
    return new SlidingLog(permits, periodNanos, random.nextBoolean());
  }

  @Test
  void admit_anyRequests_neverMoreThanTheLimitInAnyPeriod() {
    Seeded.check(
        300,
        random -> {
          long permits = 1 + random.nextLong(250);
          LimitUse use = new LimitUse(new SlidingLog(permits, SECOND, false), random);
          List<Long> admitted = new ArrayList<>();
          long at = use.now();
          long pace = 1 + 4 * SECOND / permits;
          for (int i = 0; i < 800; i++) {
            at += random.nextLong(pace);
            long now = at;
            long counted = admitted.stream().filter(time -> time > now - SECOND).count();
            boolean admits = use.admit(1, at);
            if (admits) {
              assertThat(counted).as("%s", use).isLessThan(permits);
              admitted.add(at);
            } else if (permits <= SlidingLog.MAX_MOMENTS) {
              assertThat(counted).as("%s", use).isEqualTo(permits);
            }
          }
        });
  }

  @Test
  void admit_manyMoments_countsAHundredthOfThePeriodTooLongAtMost() {
    SlidingLog limit = new SlidingLog(1_000, SECOND, false);
    LimitState state = limit.initial(START);
    for (int i = 0; i < 1_000; i++) {
      state = limit.book(state, 1, START + i * SECOND / 1_000);
    }
    assertThat(((SlidingLog.State) state).moments())
        .isLessThanOrEqualTo(SlidingLog.MAX_MOMENTS + 2);
    assertThat(limit.available(state, START + SECOND)).isBetween(0L, 1L);
    assertThat(limit.available(state, START + SECOND + SECOND / 2)).isBetween(490L, 501L);
    assertThat(limit.available(state, START + 2 * SECOND + SECOND / 100)).isEqualTo(1_000);
    assertThat(limit.advance(state, START + 3 * SECOND))
        .isEqualTo(limit.initial(START + 3 * SECOND));
  }

  @Test
  void availableAt_oldUseEnds_isWhenItLeavesThePeriod() {
    SlidingLog limit = new SlidingLog(2, MINUTE, false);
    LimitState state = limit.book(limit.initial(START), 1, START + SECOND);
    state = limit.book(state, 1, START + 30 * SECOND);
    assertThat(limit.availableAt(state, 1, START + 50 * SECOND)).isEqualTo(START + 61 * SECOND);
    assertThat(limit.availableAt(state, 2, START + 50 * SECOND)).isEqualTo(START + 90 * SECOND);
    assertThat(limit.resetAt(state, START + 50 * SECOND)).isEqualTo(START + 90 * SECOND);
  }
}
