package io.quotaenforcer.simulation;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Bounds on what holders of parts of a limit can admit together in true time, wherever each has its
 * borders. For one that has all of the limit and unknown borders the bounds are the same.
 */
final class DividedOracle {
  private DividedOracle() {}

  /**
   * Judges admissions in the order of their times; empty for a limit whose permits do not come back
   * at borders, or belong to windows: the limit itself judges these. (A log with many moments
   * rounds them; the bound does not.)
   */
  static Optional<Bound> of(Limit limit) {
    if (limit.renewal() instanceof RenewalTerms.Slots slots) {
      return Optional.of(new OfSlots(slots, limit.periodNanos()));
    }
    return limit.renewal() instanceof RenewalTerms.Refills
        ? Optional.of(new OfRefills(limit))
        : Optional.empty();
  }

  /** Keeps account of what was admitted. */
  interface Bound {
    /**
     * Whether {@code cost} more permits can be admitted at a time under the limit; books them then.
     */
    boolean admits(Limit limit, long cost, long at);
  }

  /**
   * Whatever a holder used within the slots that count in full, but for one, counts for it in full,
   * since its current slot has begun not longer ago than a slot; and of a slot before that fades,
   * at least as much as of its length is left by a clock that began with the use.
   */
  private static final class OfSlots implements Bound {
    /** The ledger's own part of a fading counter is rounded down. */
    private static final double ROUNDED = 1;

    private final long inFullNanos;
    private final long fadingNanos;
    private final Deque<Use> uses = new ArrayDeque<>();

    private record Use(long at, long cost) {}

    OfSlots(RenewalTerms.Slots slots, long periodNanos) {
      // A log keeps each use for a period, whatever slots its parts have.
      inFullNanos = Math.min(periodNanos, (slots.counted() - 1) * slots.slotNanos());
      fadingNanos = slots.fades() ? slots.slotNanos() : 0;
    }

    @Override
    public boolean admits(Limit limit, long cost, long at) {
      while (!uses.isEmpty() && at - uses.getFirst().at >= inFullNanos + fadingNanos) {
        uses.removeFirst();
      }
      double counts = 0;
      for (Use use : uses) {
        long over = at - use.at - inFullNanos;
        counts += over < 0 ? use.cost : use.cost * (1 - (double) over / fadingNanos);
      }
      double most = limit.permits() + (fadingNanos > 0 ? ROUNDED : 0);
      boolean fits = counts + cost <= most;
      if (fits) {
        uses.addLast(new Use(at, cost));
      }
      return fits;
    }
  }

  /** In any time: what the bucket holds, what comes at one border, and what comes at the rate. */
  private static final class OfRefills implements Bound {
    private Limit limit;
    private Limit bucket;
    private LimitState state;

    OfRefills(Limit limit) {
      this.limit = limit;
      bucket = bucket(limit);
      state = bucket.initial(LoopSimulation.START);
    }

    private static Limit bucket(Limit limit) {
      return new TokenBucket(
          limit.permits(), limit.periodNanos(), limit.capacity() + limit.permits());
    }

    @Override
    public boolean admits(Limit now, long cost, long at) {
      if (!now.equals(limit)) {
        state = bucket(now).convert(bucket.advance(state, at), bucket, at);
        limit = now;
        bucket = bucket(now);
      }
      state = bucket.advance(state, at);
      boolean fits = bucket.available(state, at) >= cost;
      state = fits ? bucket.book(state, cost, at) : state;
      return fits;
    }
  }
}
