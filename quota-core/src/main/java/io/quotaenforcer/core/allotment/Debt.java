package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Permits of one quota key that are still to be taken, for requests that cost more than was
 * reserved for them. Safe for use by any thread.
 */
final class Debt {
  private final AtomicLong owed = new AtomicLong();

  long owed() {
    return owed.get();
  }

  void add(long permits) {
    owed.accumulateAndGet(permits, PermitCount::plus);
  }

  /**
   * Notes that permits were taken for it.
   *
   * @return how many of them are not owed, since another thread paid first
   */
  long pay(long permits) {
    long before = owed.getAndAccumulate(permits, (now, paid) -> Math.max(0, now - paid));
    return Math.max(0, permits - before);
  }

  /** Hands the remaining debt over to another, who owes it from now on. */
  long handOver() {
    return owed.getAndSet(0);
  }
}
