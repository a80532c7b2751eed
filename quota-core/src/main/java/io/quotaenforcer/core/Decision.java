package io.quotaenforcer.core;

import java.util.List;
import java.util.Optional;

/** The answer to a request. */
public sealed interface Decision {

  /** Whether the request may run. */
  boolean admitted();

  /**
   * The rule that decided: of an admitted request the matching rule with the least remaining, of a
   * throttled one the rule that had no room; a rule in shadow mode only where there is no other.
   * Empty when no rule matched.
   */
  Optional<RuleDecision> rule();

  /** Every rule that matched an admitted request, in order; the one that said no otherwise. */
  List<RuleDecision> rules();

  /** Whether the request costs more than a limit ever gives: there is no use in trying again. */
  default boolean neverAdmitted() {
    return !admitted()
        && rules().stream().anyMatch(rule -> rule.retryAfterNanos() == RuleDecision.NEVER_NANOS);
  }

  /** No rule matched: the request runs and is not counted. */
  record Unmatched() implements Decision {
    @Override
    public boolean admitted() {
      return true;
    }

    @Override
    public Optional<RuleDecision> rule() {
      return Optional.empty();
    }

    @Override
    public List<RuleDecision> rules() {
      return List.of();
    }
  }

  /** Every matching rule had room, and the permits are taken. */
  record Admitted(RuleDecision decidedBy, List<RuleDecision> rules) implements Decision {
    public Admitted {
      rules = List.copyOf(rules);
    }

    /**
     * By all of these rules: the one with the least remaining decided, and one that only watches if
     * there is no other.
     *
     * @throws IllegalArgumentException when there are none
     */
    public static Admitted by(List<RuleDecision> rules) {
      if (rules.isEmpty()) {
        throw new IllegalArgumentException("must be decided by a rule: rules=[]");
      }
      RuleDecision least = rules.get(0);
      for (int i = 1; i < rules.size(); i++) {
        least = decidesBefore(rules.get(i), least) ? rules.get(i) : least;
      }
      return new Admitted(least, rules);
    }

    private static boolean decidesBefore(RuleDecision one, RuleDecision other) {
      return one.shadow() == other.shadow() ? one.remaining() < other.remaining() : other.shadow();
    }

    @Override
    public boolean admitted() {
      return true;
    }

    @Override
    public Optional<RuleDecision> rule() {
      return Optional.of(decidedBy);
    }
  }

  /**
   * A matching rule had no room; nothing was taken from any rule.
   *
   * @param deferrable whether that rule lets requests wait to be replayed: it may be deferred
   */
  record Throttled(RuleDecision decidedBy, boolean deferrable) implements Decision {
    /** By a rule that throttles only. */
    public Throttled(RuleDecision decidedBy) {
      this(decidedBy, false);
    }

    @Override
    public boolean admitted() {
      return false;
    }

    @Override
    public List<RuleDecision> rules() {
      return List.of(decidedBy);
    }

    @Override
    public Optional<RuleDecision> rule() {
      return Optional.of(decidedBy);
    }
  }
}
