package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.algorithm.Limit;

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

  /** Most permits over the limit of one quota key in one window, with at most so many epochs. */
  public static long connected(Enforcement enforcement, Limit limit, int epochs, int maxInstances) {
    return switch (enforcement) {
      case STRICT -> 0;
      case BALANCED -> openingCredit(limit, maxInstances) * epochs;
      case PER_INSTANCE -> limit.permits() * Math.max(0, epochs - 1);
    };
  }
}
