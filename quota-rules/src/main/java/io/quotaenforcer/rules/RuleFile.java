package io.quotaenforcer.rules;

import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** The result of reading a rule file: its rules, or all its problems. */
public sealed interface RuleFile {

  /**
   * A file without problems.
   *
   * @param rules unpublished (version 0), in the order of the file
   */
  record Valid(String domain, List<Rule> rules) implements RuleFile {
    public Valid {
      rules = List.copyOf(rules);
    }
  }

  /**
   * A file that cannot be applied.
   *
   * @param problems at least one, in the order of the file
   */
  record Invalid(List<RuleProblem> problems) implements RuleFile {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Reads a rule file.
   *
   * @param fileName for problems; nothing is opened
   */
  static RuleFile parse(String fileName, String yaml) {
    Problems problems = new Problems(fileName);
    Node root = YamlDocument.compose(yaml, problems);
    RuleFileReader reader = new RuleFileReader(problems);
    Valid read = root == null ? null : reader.read(root);
    return read == null || problems.count() > 0 ? new Invalid(problems.inOrder()) : read;
  }
}
