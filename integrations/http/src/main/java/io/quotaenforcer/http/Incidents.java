package io.quotaenforcer.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * A line in the log at most once a minute, with how often the same happened before: for adapters.
 * Safe for use by any number of threads.
 */
public final class Incidents {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  private final Logger log;
  private final LongSupplier clock;
  private final AtomicLong nextNanos;
  private final AtomicLong untold = new AtomicLong();

  /**
   * Tells a log of what happens to its adapter.
   *
   * @param clock monotonic nanoseconds
   */
  public Incidents(Logger log, LongSupplier clock) {
    this.log = log;
    this.clock = clock;
    this.nextNanos = new AtomicLong(clock.getAsLong());
  }

  /** Logs a warning, or counts it. */
  public void tell(String what, Throwable cause) {
    long now = clock.getAsLong();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + MINUTE_NANOS)) {
      untold.incrementAndGet();
      return;
    }
    long before = untold.getAndSet(0);
    log.warn("{}{}", what, before == 0 ? "" : " (" + before + " times more before this)", cause);
  }
}
