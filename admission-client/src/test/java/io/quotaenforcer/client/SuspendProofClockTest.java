package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.spi.Clocks;
import org.junit.jupiter.api.Test;

class SuspendProofClockTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  private long monotonic = -7 * SECOND;
  private long wall = 1_700_000_000 * SECOND;
  private long heldUp;
  private final SuspendProofClock clock =
      new SuspendProofClock(
          new Clocks(
              () -> monotonic,
              () -> {
                long read = wall;
                pass(heldUp);
                heldUp = 0;
                return read;
              }));

  private void pass(long nanos) {
    monotonic += nanos;
    wall += nanos;
  }

  @Test
  void machineIsSuspended_timeGoesOn() {
    long before = clock.getAsLong();
    pass(SECOND);
    wall += 40 * SECOND;

    assertThat(clock.makeUp()).isEqualTo(40 * SECOND);
    assertThat(clock.getAsLong() - before).isEqualTo(41 * SECOND);
    pass(SECOND);
    assertThat(clock.makeUp()).isZero();
    assertThat(clock.getAsLong() - before).isEqualTo(42 * SECOND);
  }

  @Test
  void wallClockIsCorrectedOrSetBack_timeDoesNotStep() {
    long before = clock.getAsLong();
    for (int i = 0; i < 20; i++) {
      wall += SuspendProofClock.LEAST_NANOS - 1;
      assertThat(clock.makeUp()).isZero();
    }
    wall -= 3_600 * SECOND;

    assertThat(clock.makeUp()).isZero();
    assertThat(clock.getAsLong()).isEqualTo(before);
  }

  @Test
  void threadIsHeldUpBetweenReadings_isNoSuspension() {
    long before = clock.getAsLong();
    heldUp = 5 * SECOND;

    assertThat(clock.makeUp()).isZero();
    assertThat(clock.makeUp()).isZero();
    assertThat(clock.getAsLong() - before).isEqualTo(5 * SECOND);
  }
}
