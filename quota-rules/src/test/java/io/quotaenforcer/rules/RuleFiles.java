package io.quotaenforcer.rules;

import io.quotaenforcer.core.rule.Rule;
import java.util.List;

/** Rule files as tests write them. */
public final class RuleFiles {
  private RuleFiles() {}

  /** The rules of a file that must be good. */
  public static List<Rule> rules(String yaml) {
    RuleFile file = RuleFile.parse("rules.yaml", yaml);
    if (file instanceof RuleFile.Valid valid) {
      return valid.rules();
    }
    throw new AssertionError(String.join("\n", problems(yaml)));
  }

  /** The only rule of a file that must be good. */
  public static Rule rule(String yaml) {
    List<Rule> rules = rules(yaml);
    if (rules.size() != 1) {
      throw new AssertionError("must be one rule: " + rules);
    }
    return rules.get(0);
  }

  /** The problems of a file, each as {@code line:column: message}. */
  public static List<String> problems(String yaml) {
    return RuleFile.parse("rules.yaml", yaml) instanceof RuleFile.Invalid invalid
        ? invalid.problems().stream()
            .map(problem -> problem.toString().substring("rules.yaml:".length()))
            .toList()
        : List.of();
  }

  /** A file with one rule that has a limit and these further lines. */
  public static String withLines(String... lines) {
    return "domain: posts\n"
        + "rules:\n"
        + "  - id: per-user\n"
        + "    limit: {permits: 2, per: 1s}\n"
        + "    key: [user]\n"
        + String.join("", List.of(lines).stream().map(line -> "    " + line + "\n").toList());
  }

  /** A file with one rule that has this limit. */
  public static String withLimit(String limit) {
    return "domain: posts\nrules:\n  - id: per-user\n    limit: " + limit + "\n";
  }
}
