package io.quotaenforcer.client;

import io.quotaenforcer.client.spi.Clocks;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that makes up for the time that its machine was suspended: {@link
 * System#nanoTime} stands still meanwhile on many systems, the wall clock does not. A wall clock
 * that is set ahead looks the same. May be read by any thread.
 */
final class SuspendProofClock implements LongSupplier {
  /** Smaller steps of the wall clock are corrections of it. */
  static final long LEAST_NANOS = 500_000_000L;

  /**
   * Between the readings of two clocks: if it is longer, the thread was held up, and looks anew.
   */
  private static final long AT_ONCE_NANOS = 10_000_000L;

  private final Clocks clocks;
  private volatile long madeUpNanos;
  private long wallAheadNanos;

  SuspendProofClock(Clocks clocks) {
    this.clocks = clocks;
    long now = clocks.monotonicNanos().getAsLong();
    this.wallAheadNanos = clocks.epochNanos().getAsLong() - now;
  }

  @Override
  public long getAsLong() {
    return clocks.monotonicNanos().getAsLong() + madeUpNanos;
  }

  /**
   * Looks whether the wall clock has gone on by more than the monotonic one, and goes on by as
   * much; returns how much that is, 0 as a rule. To be called often, by one thread.
   */
  long makeUp() {
    long before = clocks.monotonicNanos().getAsLong();
    long wall = clocks.epochNanos().getAsLong();
    long after = clocks.monotonicNanos().getAsLong();
    if (after - before > AT_ONCE_NANOS) {
      return 0;
    }
    long ahead = wall - after;
    long step = ahead - wallAheadNanos;
    wallAheadNanos = ahead;
    if (step < LEAST_NANOS) {
      return 0;
    }
    madeUpNanos += step;
    return step;
  }
}
