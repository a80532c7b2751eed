package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.RequestCost;

/**
 * What requests of a quota key cost, by some of them, newer ones more than older ones. Any thread;
 * of threads at once, one may see its request lost.
 */
final class RequestCosts {
  /** Requests after which one counts for a third of what it did: costly ones may be rare. */
  static final int MEMORY = 4096;

  private static final double KEPT = 1 - 1.0 / MEMORY;

  private volatile Sums sums;
  private volatile long seenNanos = Long.MIN_VALUE;

  /** Of requests, of what they cost, and of the squares of that. */
  private record Sums(double requests, double permits, double squares) {
    Sums and(long cost) {
      return new Sums(
          requests * KEPT + 1, permits * KEPT + cost, squares * KEPT + (double) cost * cost);
    }
  }

  /**
   * @param cheap requests until now, each of which cost 1
   */
  RequestCosts(int cheap) {
    int counted = Math.min(cheap, MEMORY);
    this.sums = new Sums(counted, counted, counted);
  }

  /** Takes note of a request, unless one was noted just before. */
  void saw(long cost, long now) {
    if (now - AskedKey.ASKED_EVERY >= seenNanos) {
      seenNanos = now;
      sums = sums.and(cost);
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
