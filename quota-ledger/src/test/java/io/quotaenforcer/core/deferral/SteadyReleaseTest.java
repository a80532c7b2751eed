package io.quotaenforcer.core.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Windows;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
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

  /** A permit a day, in months of 28 and of 31 days. */
  @Test
  void calendarMonths_areReleasedEvenly_eachOverItsOwnLength() {
    FixedWindow monthly =
        new FixedWindow(28, new Windows.Calendar(Windows.CalendarUnit.MONTH, ZoneOffset.UTC));
    long february = Instant.parse("2026-02-10T00:00:00Z").getEpochSecond() * SECOND;
    long march = Instant.parse("2026-03-10T00:00:00Z").getEpochSecond() * SECOND;
    long day = Duration.ofDays(1).toNanos();

    assertThat(SteadyRelease.after(monthly, 1, february, TICK, february)).isEqualTo(february + day);
    assertThat(SteadyRelease.after(monthly, 28, march, TICK, march)).isEqualTo(march + 31 * day);
  }

  @Test
  void queueThatWasEmpty_doesNotCatchUp() {
    long now = 100 * SECOND;

    assertThat(SteadyRelease.after(LIMIT, 7, 0, TICK, now)).isEqualTo(now - TICK + SECOND / 10);
  }
}
