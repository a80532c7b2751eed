package io.quotaenforcer.cli;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Longest wait of a user: polls until it is used up. */
final class Patience {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final LongSupplier nanos;
  private final long end;

  Patience(Duration most, LongSupplier monotonicNanos) {
    this.nanos = monotonicNanos;
    this.end = monotonicNanos.getAsLong() + most.toNanos();
  }

  static Patience of(Duration most) {
    return new Patience(most, System::nanoTime);
  }

  /** Waits a little; returns false at once if no time is left. */
  boolean pause() throws InterruptedException {
    if (nanos.getAsLong() - end >= 0) {
      return false;
    }
    LockSupport.parkNanos(PAUSE.toNanos());
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return true;
  }
}
