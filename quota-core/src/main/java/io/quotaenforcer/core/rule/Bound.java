package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;

/**
 * The declared bound: the most that a rule can admit over its limit while the enforcer is there.
 */
public final class Bound {
  private Bound() {}

  /**
   * What an instance may admit on a quota key of a balanced rule before its first snapshot: a tenth
   * of the limit shared among the most instances there may be, at least 1.
   */
  public static long openingCredit(Limit limit, int maxInstances) {
    return Math.min(limit.capacity(), Math.max(1, limit.permits() / 10 / maxInstances));
  }

  /** What an instance may admit of a limit by itself while the enforcer is away. */
  public static Limit share(Limit limit, int maxInstances) {
    return limit.withPermits(Math.max(1, limit.permits() / maxInstances));
  }

  /**
   * Most permits that so many epochs may add in one window in which the enforcer is away for them;
   * {@code Long.MAX_VALUE} when there is no bound.
   */
  public static long away(OnUnavailable onUnavailable, Limit limit, int epochs, int maxInstances) {
    return switch (onUnavailable) {
      case DENY -> 0;
      case LOCAL -> share(limit, maxInstances).capacity() * epochs;
      case ALLOW -> Long.MAX_VALUE;
    };
  }

  /** Most permits over the limit of one quota key in one window, with at most so many epochs. */
  public static long connected(Enforcement enforcement, Limit limit, int epochs, int maxInstances) {
    return switch (enforcement) {
      case STRICT -> 0;
      case BALANCED -> openingCredit(limit, maxInstances) * epochs;
      case PER_INSTANCE -> mostInAPeriod(limit) * Math.max(0, epochs - 1);
    };
  }

  /** A full bucket is spent beside what refills it. */
  private static long mostInAPeriod(Limit limit) {
    return limit instanceof TokenBucket bucket
        ? bucket.permits() + bucket.capacity()
        : limit.permits();
  }
}
