package io.quotaenforcer.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The answer to a request. */
public sealed interface Decision {

  /** Whether the request may run. */
  boolean admitted();

  /**
   * The rule that decided: for an admitted request the matching rule with the least remaining, for
   * a throttled one the rule that had no room; a rule in shadow mode only if there is no other.
   * Empty if no rule matched, or none is known yet.
   */
  Optional<RuleDecision> rule();

  /**
   * For an admitted request every rule that matched, in order; otherwise the rule that refused it.
   */
  List<RuleDecision> rules();

  /**
   * The ids of {@link #rules}: cheaper, as it need not be known how they stand. For counters of
   * decisions.
   */
  default List<RuleId> ruleIds() {
    return rules().stream().map(rule -> rule.quotaKey().rule()).toList();
  }

  /** Whether the request costs more than a limit ever gives, so that it is useless to try again. */
  default boolean neverAdmitted() {
    return !admitted()
        && rules().stream().anyMatch(rule -> rule.retryAfterNanos() == RuleDecision.NEVER_NANOS);
  }

  /**
   * Time after which a throttled request may succeed; empty if it runs, never will, or the time is
   * unknown.
   */
  default Optional<Duration> retryAfter() {
    return admitted() ? Optional.empty() : rule().flatMap(RuleDecision::retryAfter);
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

  /**
   * The rules are not known yet, so it is unknown whether any matches: nothing is counted. Or a
   * rule matches that hashes a value, and the instance has no key to do so: that rule counts
   * nothing.
   *
   * @param admitted the instance's default until it knows them; never beside a strict rule that
   *     cannot hash
   */
  record NotReady(boolean admitted) implements Decision {
    @Override
    public Optional<RuleDecision> rule() {
      return Optional.empty();
    }

    @Override
    public List<RuleDecision> rules() {
      return List.of();
    }
  }

  /**
   * Every matching rule had room, and the permits are taken. How the rules stand is found out when
   * it is asked for the first time: what is left of a limit is as of then.
   */
  final class Admitted implements Decision {
    private final Standings standings;
    private final long atNanos;
    private @Nullable List<RuleDecision> rules;
    private @Nullable RuleDecision decidedBy;

    /** See {@link Standings#admitted}. */
    Admitted(Standings standings, long atNanos) {
      this.standings = standings;
      this.atNanos = atNanos;
    }

    /** Admitted by rules whose standing is known. */
    public Admitted(RuleDecision decidedBy, List<RuleDecision> rules) {
      this(at -> rules, decidedBy.atNanos());
      this.decidedBy = decidedBy;
    }

    /**
     * Admitted by all of these rules: the one with the least remaining decided, a shadow rule only
     * if there is no other.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static Admitted by(List<RuleDecision> rules) {
      return new Admitted(least(rules), rules);
    }

    private static RuleDecision least(List<RuleDecision> rules) {
      if (rules.isEmpty()) {
        throw new IllegalArgumentException("must be decided by a rule: rules=[]");
      }
      RuleDecision least = rules.get(0);
      for (int i = 1; i < rules.size(); i++) {
        least = decidesBefore(rules.get(i), least) ? rules.get(i) : least;
      }
      return least;
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
      return Optional.of(decidedBy());
    }

    public RuleDecision decidedBy() {
      RuleDecision known = decidedBy;
      if (known == null) {
        known = least(rules());
        decidedBy = known;
      }
      return known;
    }

    @Override
    public List<RuleDecision> rules() {
      List<RuleDecision> known = rules;
      if (known == null) {
        // Immutable, so that a thread that sees it sees all of it.
        known = List.copyOf(standings.rules(atNanos));
        rules = known;
      }
      return known;
    }

    @Override
    public List<RuleId> ruleIds() {
      return standings.ids(atNanos);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Admitted that && rules().equals(that.rules());
    }

    @Override
    public int hashCode() {
      return rules().hashCode();
    }

    @Override
    public String toString() {
      return "Admitted[decidedBy=" + decidedBy() + ", rules=" + rules() + "]";
    }
  }

  /**
   * A matching rule had no room; nothing was taken from any rule. The rule's standing is computed
   * when it is first asked for.
   */
  final class Throttled implements Decision {
    private final Standings standings;
    private final long atNanos;
    private final boolean deferrable;
    private @Nullable RuleDecision decidedBy;

    /** See {@link Standings#throttled}. */
    Throttled(Standings standings, boolean deferrable, long atNanos) {
      this.standings = standings;
      this.deferrable = deferrable;
      this.atNanos = atNanos;
    }

    /** Throttled by a rule whose standing is known. */
    public Throttled(RuleDecision decidedBy, boolean deferrable) {
      this(at -> List.of(decidedBy), deferrable, decidedBy.atNanos());
      this.decidedBy = decidedBy;
    }

    /** Throttled by a rule that does not defer. */
    public Throttled(RuleDecision decidedBy) {
      this(decidedBy, false);
    }

    public RuleDecision decidedBy() {
      RuleDecision known = decidedBy;
      if (known == null) {
        known = standings.rules(atNanos).get(0);
        decidedBy = known;
      }
      return known;
    }

    public boolean deferrable() {
      return deferrable;
    }

    /** Why the rule had no room. */
    public ThrottleReason reason() {
      return decidedBy().reason();
    }

    @Override
    public boolean admitted() {
      return false;
    }

    @Override
    public List<RuleDecision> rules() {
      return List.of(decidedBy());
    }

    @Override
    public Optional<RuleDecision> rule() {
      return Optional.of(decidedBy());
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Throttled that
          && deferrable == that.deferrable
          && decidedBy().equals(that.decidedBy());
    }

    @Override
    public int hashCode() {
      return 31 * decidedBy().hashCode() + Boolean.hashCode(deferrable);
    }

    @Override
    public String toString() {
      return "Throttled[decidedBy=" + decidedBy() + ", deferrable=" + deferrable + "]";
    }
  }
}
