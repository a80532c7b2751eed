package io.quotaenforcer.rules;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleExplanation.Line;
import io.quotaenforcer.rules.RuleField.Told;
import java.util.List;

/** Explains rules: each field in its own words, or else as in a rule file. */
public final class RuleExplainer {
  private RuleExplainer() {}

  public static RuleExplanation of(Rule rule, int maxInstances) {
    DeclaredBound bound =
        RuleExplanation.bound(rule, rule.limits().get(0), rule.limit(), maxInstances);
    List<Line> lines = lines(rule, maxInstances, bound, RuleFields.ALL);
    return new RuleExplanation(
        rule, maxInstances, lines, bound, RuleWarnings.of(rule, maxInstances, bound));
  }

  static List<Line> lines(
      Rule rule, int maxInstances, DeclaredBound bound, List<? extends RuleField<Rule, ?>> fields) {
    Told told = new Told(rule, new LimitWords(rule), new BoundWords(rule, maxInstances, bound));
    return fields.stream().flatMap(field -> lines(told, field).stream()).toList();
  }

  private static List<Line> lines(Told told, RuleField<Rule, ?> field) {
    if (field.words().isPresent()) {
      return field.words().get().of(told);
    }
    Spelling<Rule> spelling = field.spelling();
    return spelling.isWritten(told.rule())
        ? List.of(new Line(spelling.name(), spelling.text().apply(told.rule())))
        : List.of();
  }
}
