package io.quotaenforcer.rules;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;

/**
 * A rule in plain words.
 *
 * @param maxInstances instances that openings and shares are computed for
 * @param lines the text, in order
 * @param bound of a quota key without override; expected with clients that ask for exactly the
 *     limit
 * @param warnings effects that its author may not have intended
 */
public record RuleExplanation(
    Rule rule, int maxInstances, List<Line> lines, DeclaredBound bound, List<String> warnings) {

  /** Assumed time from report to answer. */
  public static final long LOOP_NANOS = 50_000_000L;

  /** One thing that a rule says. */
  public record Line(String label, String text) {}

  public RuleExplanation {
    lines = List.copyOf(lines);
    warnings = List.copyOf(warnings);
  }

  /**
   * @param asked expected demand of clients
   */
  static DeclaredBound bound(Rule rule, Limit limit, Limit asked, int maxInstances) {
    double perSecond = asked.permits() * 1e9 / asked.periodNanos();
    return Bound.of(rule, limit, maxInstances, maxInstances, perSecond, LOOP_NANOS);
  }
}
