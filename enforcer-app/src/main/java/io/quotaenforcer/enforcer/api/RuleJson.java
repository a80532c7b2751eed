package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleDiffText;
import io.quotaenforcer.rules.RuleExplanation;
import java.util.Locale;

/** Rules and explanations as JSON. */
public final class RuleJson {
  private RuleJson() {}

  /** What the rule is, without its words. */
  static void put(ObjectNode to, Rule rule) {
    to.put("rule", rule.id().toString())
        .put("version", rule.version())
        .put("generation", rule.generation())
        .put("mode", word(rule.mode()))
        .put("enforcement", word(rule.enforcement()))
        .put("summary", RuleDiffText.summary(rule));
  }

  static void put(ObjectNode to, DeclaredBound bound) {
    to.put("bound", bound.connected());
    bound.away().ifPresent(away -> to.put("boundAway", away));
  }

  /** The rule in words, and what its author may not have meant. */
  public static void putWords(ObjectNode to, RuleExplanation explained) {
    ArrayNode lines = to.putArray("says");
    for (RuleExplanation.Line line : explained.lines()) {
      lines.addObject().put("of", line.label()).put("text", line.text());
    }
    ArrayNode warnings = to.putArray("warnings");
    explained.warnings().forEach(warnings::add);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
