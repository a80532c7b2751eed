package io.quotaenforcer.lab.verdict;

import java.util.concurrent.atomic.AtomicLong;

/** The longest delay of a group of threads. Any thread may add. */
public final class Stalls {
  private final AtomicLong longestNanos = new AtomicLong();

  /** A thread was due at one time, and came at another. */
  public void came(long dueNanos, long atNanos) {
    long late = atNanos - dueNanos;
    if (late > longestNanos.get()) {
      longestNanos.accumulateAndGet(late, Math::max);
    }
  }

  public long longestNanos() {
    return longestNanos.get();
  }
}
