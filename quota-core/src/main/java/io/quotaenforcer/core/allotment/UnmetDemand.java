package io.quotaenforcer.core.allotment;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Permits that were asked for and not there: those that requests wait for, here or in a queue, and
 * those of the costliest refused request. {@link #await}, {@link #queue} and {@link #refuse} may be
 * called by any thread.
 */
final class UnmetDemand {
  private final long keptNanos;
  private final AtomicLong awaiting = new AtomicLong();
  private final AtomicLong queued = new AtomicLong();
  private final AtomicLong awaitedChanges = new AtomicLong();
  private final AtomicLong largestRefused = new AtomicLong();
  private long refusedLately;
  private long refusedUntilNanos = Long.MIN_VALUE;

  /**
   * @param keptNanos how long permits for a refused request are kept, so that it finds them when it
   *     comes again
   */
  UnmetDemand(long keptNanos) {
    this.keptNanos = keptNanos;
  }

  /** Counts permits that a request waits for; a negative number when it waits no longer. */
  void await(long permits) {
    awaiting.addAndGet(permits);
    awaitedChanges.incrementAndGet();
  }

  /** Says how many permits the requests in a queue wait for. */
  void queue(long permits) {
    if (queued.getAndSet(permits) != permits) {
      awaitedChanges.incrementAndGet();
    }
  }

  void refuse(long permits) {
    if (permits > 1) {
      largestRefused.accumulateAndGet(permits, Math::max);
    }
  }

  /** Permits that requests wait for outside a queue: they were asked for just now. */
  long awaiting() {
    return awaiting.get();
  }

  boolean isAwaited() {
    return awaiting.get() > 0 || isQueued();
  }

  /** Whether requests wait in a queue. */
  boolean isQueued() {
    return queued.get() > 0;
  }

  /** Grows with whatever there is to report of waiting requests. */
  long changes() {
    return awaitedChanges.get();
  }

  /**
   * What to ask of the enforcer now. A refused request is asked for once; but again and again if
   * the rate share can never hold it, since leases for it are few and come late.
   */
  long toReport(@Nullable ShareCell share, long now) {
    long refused = largestRefused.getAndSet(0);
    if (refused > 0) {
      refusedLately = refused;
      refusedUntilNanos = now + keptNanos;
    }
    boolean again = share != null && now < refusedUntilNanos && !share.holds(refusedLately);
    return Math.max(awaiting.get() + queued.get(), again ? refusedLately : refused);
  }

  /** Permits that are not to be given back. */
  long toKeep(long now) {
    return awaiting.get() + queued.get() + (now < refusedUntilNanos ? refusedLately : 0);
  }
}
