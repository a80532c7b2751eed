package io.quotaenforcer.rules;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.Collection;

/**
 * Writes rules as a rule file that reads back as the same rules. The same rule is always written
 * the same way, with every default spelled out.
 */
public final class RuleYaml {
  private RuleYaml() {}

  /** A whole file with the rules of one domain, in the order given. */
  public static String file(String domain, Collection<Rule> rules) {
    StringBuilder yaml = new StringBuilder("domain: " + YamlValues.text(domain) + "\n");
    if (rules.isEmpty()) {
      return yaml.append("rules: []\n").toString();
    }
    yaml.append("rules:\n");
    for (Rule rule : rules) {
      String indent = "  - ";
      for (Spelling<Rule> field : RuleFields.SPELLINGS) {
        if (field.isWritten(rule)) {
          String value = field.text().apply(rule);
          yaml.append(indent).append(field.name()).append(value.startsWith("\n") ? ":" : ": ");
          yaml.append(value).append('\n');
          indent = "    ";
        }
      }
    }
    return yaml.toString();
  }

  /** {@code {permits: 2, per: 1s, algorithm: fixed-window}}. */
  public static String limit(Limit limit) {
    return LimitFields.text(limit);
  }

  /** {@code {key: {user: probe}, exempt: true}}. */
  public static String override(RuleOverride override) {
    return RuleFields.text(override);
  }
}
