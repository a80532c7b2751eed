package io.quotaenforcer.client.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until it is moved, for tests. Safe for use by any number of threads.
 */
public final class ManualClock {
  private final AtomicLong epochNanos;

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

  /** Both clocks of an instance, which this one moves. */
  public Clocks clocks() {
    return new Clocks(epochNanos::get, epochNanos::get);
  }
}
