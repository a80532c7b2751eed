package io.quotaenforcer.core;

import java.util.List;

/** How the rules of one decision stand. Safe for use by any thread. */
@FunctionalInterface
public interface Standings {

  /**
   * The rules that a decision is made of, in their order; at least one.
   *
   * @param atNanos the clock read of the decision
   */
  List<RuleDecision> rules(long atNanos);
}
