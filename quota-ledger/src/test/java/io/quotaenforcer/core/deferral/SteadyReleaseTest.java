package io.quotaenforcer.core.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteadyReleaseTest {
  private static final long TICK = 10_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final FixedWindow LIMIT = new FixedWindow(70, SECOND);

  /** Looks come up to two ticks late; what is released keeps to the line within one permit. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void releasesAtUnevenTicks_keepToTheRate(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long due = 0;
    long released = 0;
    for (long now = 0; now < 20 * SECOND; now += TICK / 2 + random.nextLong(TICK / 2)) {
      while (due <= now) {
        due = SteadyRelease.after(LIMIT, 1, due, TICK, now);
        released++;
      }
      double line = (double) now / SECOND * LIMIT.permits();
      assertThat((double) released).as("seed %d at %d", seed, now).isBetween(line - 1, line + 1.01);
    }
  }

  @Test
  void queueThatWasEmpty_doesNotCatchUp() {
    long now = 100 * SECOND;

    assertThat(SteadyRelease.after(LIMIT, 7, 0, TICK, now)).isEqualTo(now - TICK + SECOND / 10);
  }
}
