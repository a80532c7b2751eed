package io.quotaenforcer.grpc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Logs failures that each call may meet, but not each of them. Safe for use by many threads. */
final class OnceAMinute {
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger log;
  private final LongSupplier monotonicNanos;
  private final AtomicLong nextNanos;
  private final AtomicLong unsaid = new AtomicLong();

  OnceAMinute(Logger log, LongSupplier monotonicNanos) {
    this.log = log;
    this.monotonicNanos = monotonicNanos;
    this.nextNanos = new AtomicLong(monotonicNanos.getAsLong());
  }

  void warn(String message, Throwable cause) {
    long now = monotonicNanos.getAsLong();
    long next = nextNanos.get();
    if (now - next >= 0 && nextNanos.compareAndSet(next, now + MINUTE_NANOS)) {
      log.warn("{} ({} more like this before)", message, unsaid.getAndSet(0), cause);
    } else {
      unsaid.incrementAndGet();
    }
  }
}
