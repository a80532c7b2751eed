package io.quotaenforcer.lab.runlog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogClockTest {
  private static final long ORIGIN = 807_256_800_000_000_000L;

  private final LogClock clock = new LogClock(600, ORIGIN);

  @Test
  void clock_notStarted_standsStill() {
    assertThat(clock.getAsLong()).isEqualTo(ORIGIN);
    assertThat(clock.clocks().epochNanos().getAsLong()).isEqualTo(ORIGIN);
    assertThat(clock.clocks().monotonicNanos().getAsLong()).isEqualTo(ORIGIN);
  }

  @Test
  void clock_started_runsAsFastAsToldFromItsOrigin() {
    long startedNanos = clock.start();

    long before = System.nanoTime() - startedNanos;
    long read = clock.getAsLong();
    long after = System.nanoTime() - startedNanos;

    assertThat(read - ORIGIN).isBetween(600 * before, 600 * after);
  }
}
