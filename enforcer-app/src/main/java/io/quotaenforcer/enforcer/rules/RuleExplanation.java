package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
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

  public RuleExplanation {
    lines = List.copyOf(lines);
    warnings = List.copyOf(warnings);
  }

  public static RuleExplanation of(Rule rule, int maxInstances) {
    double limitPerSecond = rule.limit().permits() * 1e9 / rule.limit().periodNanos();
    DeclaredBound bound =
        Bound.of(
            rule, rule.limits().get(0), maxInstances, maxInstances, limitPerSecond, LOOP_NANOS);
    LimitWords limits = new LimitWords(rule);
    BoundWords bounds = new BoundWords(rule, maxInstances, bound);
    List<Line> lines = new ArrayList<>();
    lines.add(new Line("matches", MatchWords.matches(rule)));
    lines.add(new Line("counts by", MatchWords.key(rule)));
    lines.add(new Line("limit", limits.limit()));
    limits.overrides().forEach(text -> lines.add(new Line("override", text)));
    lines.add(new Line("over it", over(rule)));
    lines.add(new Line("enforcement", bounds.enforcement()));
    lines.add(new Line("bound", bounds.connected()));
    lines.add(new Line("expected", bounds.expected()));
    lines.add(new Line("enforcer away", bounds.whenAway()));
    lines.add(new Line("bound then", bounds.away()));
    return new RuleExplanation(
        rule, maxInstances, lines, bound, RuleWarnings.of(rule, maxInstances, bound));
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
