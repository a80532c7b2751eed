package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.algorithm.Limit;

/** The effect of an override on the quota keys that it applies to. */
public sealed interface OverrideEffect {

  /**
   * Whether requests that it is for get no more than a limit gives.
   *
   * @param ofRule of the same algorithm and period as its own
   */
  default boolean letsInNoMoreThan(Limit ofRule) {
    return false;
  }

  /**
   * They have another limit.
   *
   * @param limit of the algorithm and period of the rule's limit
   */
  record Limited(Limit limit) implements OverrideEffect {
    @Override
    public boolean letsInNoMoreThan(Limit ofRule) {
      return limit.permits() <= ofRule.permits() && limit.capacity() <= ofRule.capacity();
    }
  }

  /** They are neither limited nor counted. */
  record Exempt() implements OverrideEffect {}

  /** Every request is throttled; the enforcer is asked for nothing. */
  record Denied() implements OverrideEffect {
    @Override
    public boolean letsInNoMoreThan(Limit ofRule) {
      return true;
    }
  }
}
