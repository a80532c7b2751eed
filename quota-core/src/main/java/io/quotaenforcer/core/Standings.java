package io.quotaenforcer.core;

import java.util.List;

/** Standing of the rules of one decision. Safe for use by any thread. */
@FunctionalInterface
public interface Standings {

  /**
   * A decision to admit, by rules that say how they stand only when asked.
   *
   * @param atNanos the clock read of this decision, in the instance's monotonic nanoseconds
   */
  static Decision.Admitted admitted(Standings standings, long atNanos) {
    return new Decision.Admitted(standings, atNanos);
  }

  /**
   * A decision to throttle, by one rule that says how it stands only when asked.
   *
   * @param deferrable whether that rule lets requests wait to be replayed: it may be deferred
   * @param atNanos the clock read of this decision, in the instance's monotonic nanoseconds
   */
  static Decision.Throttled throttled(Standings standings, boolean deferrable, long atNanos) {
    return new Decision.Throttled(standings, deferrable, atNanos);
  }

  /** The ids of these rules, in their order: cheaper than how they stand. */
  default List<RuleId> ids(long atNanos) {
    return rules(atNanos).stream().map(rule -> rule.quotaKey().rule()).toList();
  }

  /**
   * The rules that a decision is made of, in their order; at least one.
   *
   * @param atNanos the clock read of the decision
   */
  List<RuleDecision> rules(long atNanos);
}
