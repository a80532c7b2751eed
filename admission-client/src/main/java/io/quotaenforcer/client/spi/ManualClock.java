package io.quotaenforcer.client.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until it is moved: for tests of a {@link
 * io.quotaenforcer.client.StandaloneAdmission}. Safe for use by any number of threads.
 */
public final class ManualClock {
  private final AtomicLong epochNanos;

  /**
   * A clock that stands still.
   *
   * @param start the time that it shows, from the year 1678 to 2261
   */
  public ManualClock(Instant start) {
    epochNanos = new AtomicLong(start.getEpochSecond() * 1_000_000_000L + start.getNano());
  }

  /**
   * Moves the clock on.
   *
   * @throws IllegalArgumentException if {@code time} is negative
   */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("must be >= 0: time=" + time);
    }
    epochNanos.addAndGet(time.toNanos());
  }

  /** The two clocks of an instance, both of which this one moves. */
  public Clocks clocks() {
    return new Clocks(epochNanos::get, epochNanos::get);
  }
}
