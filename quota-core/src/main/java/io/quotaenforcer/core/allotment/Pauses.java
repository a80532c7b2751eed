package io.quotaenforcer.core.allotment;

/**
 * Time in which the process may not have run, by how late the looks at the book are: while it
 * collects garbage, or others have the processor, requests are not decided, and those that come are
 * decided right after it. {@link #lostNanos} may be called by any thread, the rest belongs to the
 * owner of the book.
 */
final class Pauses {
  private static final long LONGEST_NANOS = 1_000_000_000L;

  private final long everyNanos;
  private long lookedNanos = Long.MIN_VALUE;
  private long gapBefore;
  private volatile long lostNanos;

  /**
   * @param everyNanos longest usual time from one look to the next
   */
  Pauses(long everyNanos) {
    this.everyNanos = everyNanos;
  }

  /** The owner looks at the book. Where all looks are far apart, that is its pace. */
  void look(long now) {
    long gap = lookedNanos == Long.MIN_VALUE ? 0 : now - lookedNanos;
    lookedNanos = now;
    if (gap > 2 * Math.max(everyNanos, gapBefore)) {
      lostNanos = lostNanos + Math.min(gap, LONGEST_NANOS);
    }
    gapBefore = gap > 0 ? gap : gapBefore;
  }

  /** Nanoseconds of all pauses so far. */
  long lostNanos() {
    return lostNanos;
  }
}
