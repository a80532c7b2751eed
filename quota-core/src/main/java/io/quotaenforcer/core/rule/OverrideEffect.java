package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.algorithm.Limit;

/** What an override makes of the quota keys that it is for. */
public sealed interface OverrideEffect {

  /**
   * They have another limit.
   *
   * @param limit of the algorithm and period of the rule's limit
   */
  record Limited(Limit limit) implements OverrideEffect {}

  /** They are neither limited nor counted. */
  record Exempt() implements OverrideEffect {}

  /** Every request is throttled; the enforcer is asked for nothing. */
  record Denied() implements OverrideEffect {}
}
