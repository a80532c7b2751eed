package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;

/**
 * What a rule does, in plain words.
 *
 * @param maxInstances instances that openings and shares are computed for
 * @param lines what it says, in order
 * @param bound of a quota key without override; expected of clients who ask for the limit itself
 * @param warnings what its author may not have meant
 */
public record RuleExplanation(
    Rule rule, int maxInstances, List<Line> lines, DeclaredBound bound, List<String> warnings) {

  /** Time from report to answer that is assumed. */
  public static final long LOOP_NANOS = 50_000_000L;

  /** One thing that a rule says. */
  public record Line(String label, String text) {}

  /** A rule that is being explained, with the words for its limits and its bound. */
  record Told(Rule rule, LimitWords limits, BoundWords bounds) {
    private List<Line> lines(RuleField<Rule, ?> field) {
      if (field.words().isPresent()) {
        return field.words().get().of(this);
      }
      Spelling<Rule> spelling = field.spelling();
      return spelling.isWritten(rule)
          ? List.of(new Line(spelling.name(), spelling.text().apply(rule)))
          : List.of();
    }
  }

  public RuleExplanation {
    lines = List.copyOf(lines);
    warnings = List.copyOf(warnings);
  }

  public static RuleExplanation of(Rule rule, int maxInstances) {
    DeclaredBound bound = bound(rule, rule.limits().get(0), rule.limit(), maxInstances);
    List<Line> lines = lines(rule, maxInstances, bound, RuleFields.ALL);
    return new RuleExplanation(
        rule, maxInstances, lines, bound, RuleWarnings.of(rule, maxInstances, bound));
  }

  /**
   * @param asked what clients are expected to ask for
   */
  static DeclaredBound bound(Rule rule, Limit limit, Limit asked, int maxInstances) {
    double perSecond = asked.permits() * 1e9 / asked.periodNanos();
    return Bound.of(rule, limit, maxInstances, maxInstances, perSecond, LOOP_NANOS);
  }

  static List<Line> lines(
      Rule rule, int maxInstances, DeclaredBound bound, List<? extends RuleField<Rule, ?>> fields) {
    Told told = new Told(rule, new LimitWords(rule), new BoundWords(rule, maxInstances, bound));
    return fields.stream().flatMap(field -> told.lines(field).stream()).toList();
  }

  static String over(Rule rule) {
    if (rule.mode() == Mode.SHADOW) {
      return "shadow mode: nothing is refused; what would have been throttled is counted as"
          + " throttled";
    }
    return rule.overLimit() instanceof OverLimit.Defer defer
        ? DeferralWords.over(defer)
        : "throttled: the service is told no, and when to try again";
  }
}
