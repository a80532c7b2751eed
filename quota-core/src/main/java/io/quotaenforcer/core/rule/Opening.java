package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.algorithm.Limit;

/**
 * How much of a quota key an instance without a grant may admit by its own count under a balanced
 * rule: at first until it has heard of the key, then what the enforcer's answer left.
 */
public sealed interface Opening {
  /** The whole limit. */
  Opening WHOLE = new Part(Part.WHOLE_BASIS_POINTS);

  /** A tenth of the limit, shared among the most instances that there may be. */
  Opening SHARED = new Shared();

  /** Most permits that an instance admits at once by its opening. */
  long atOnce(Limit limit, int maxInstances);

  /** Most permits that an instance admits by its opening in one period, as the limit aligns it. */
  long inAPeriod(Limit limit, int maxInstances);

  /**
   * A part of the limit.
   *
   * @param basisPoints in hundredths of a percent
   */
  record Part(int basisPoints) implements Opening {
    public static final int WHOLE_BASIS_POINTS = 10_000;

    public Part {
      if (basisPoints < 0 || basisPoints > WHOLE_BASIS_POINTS) {
        throw new IllegalArgumentException(
            "must be between 0 and " + WHOLE_BASIS_POINTS + ": basisPoints=" + basisPoints);
      }
    }

    @Override
    public long atOnce(Limit limit, int maxInstances) {
      return of(limit.capacity());
    }

    @Override
    public long inAPeriod(Limit limit, int maxInstances) {
      return of(limit.mostInAPeriod());
    }

    private long of(long permits) {
      return permits * basisPoints / WHOLE_BASIS_POINTS;
    }
  }

  /** A tenth of the limit, shared among the most instances that there may be; at least 1. */
  record Shared() implements Opening {
    private static final int PART = 10;

    @Override
    public long atOnce(Limit limit, int maxInstances) {
      return Math.min(limit.capacity(), Math.max(1, limit.permits() / PART / maxInstances));
    }

    @Override
    public long inAPeriod(Limit limit, int maxInstances) {
      return atOnce(limit, maxInstances);
    }
  }
}
