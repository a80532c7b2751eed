package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.RequestCost;

/**
 * What requests of a quota key cost, by some of them: the newer ones, by their number and by time.
 * Any thread; of threads at once, one may see its request lost.
 */
final class RequestCosts {
  /** Requests after which one counts for a third of what it did: costly ones may be rare. */
  static final int MEMORY = 4096;

  private static final double KEPT = 1 - 1.0 / MEMORY;

  /** Time after which a request counts for a third of what it did. */
  private static final double FADES_NANOS = 30e9;

  private volatile Sums sums;
  private volatile long seenNanos;

  /** Of requests, of what they cost, and of the squares of that. */
  private record Sums(double requests, double permits, double squares) {
    Sums and(long cost, long sinceNanos) {
      double kept = KEPT * Math.exp(-sinceNanos / FADES_NANOS);
      return new Sums(
          requests * kept + 1, permits * kept + cost, squares * kept + (double) cost * cost);
    }
  }

  /**
   * @param cheap requests until now, each of which cost 1
   */
  RequestCosts(int cheap, long now) {
    int counted = Math.min(cheap, MEMORY);
    this.sums = new Sums(counted, counted, counted);
    this.seenNanos = now - AskedKey.ASKED_EVERY;
  }

  /** Takes note of a request, unless one was noted just before. */
  void saw(long cost, long now) {
    long since = now - seenNanos;
    if (since >= AskedKey.ASKED_EVERY) {
      seenNanos = now;
      sums = sums.and(cost, since);
    }
  }

  RequestCost cost() {
    Sums known = sums;
    return known.requests <= 0
        ? RequestCost.ONE
        : RequestCost.told(
            Math.round(known.permits / known.requests), Math.round(known.squares / known.permits));
  }
}
