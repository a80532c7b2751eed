package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the whole of a rule file: its domain and its rules. */
final class RuleFileReader {
  private static final List<String> KEYS = List.of("domain", "rules");

  /** Stands for a domain or an id that is wrong, so that the rest is still checked. */
  private static final String UNKNOWN = "unknown";

  private final Problems problems;
  private final Scalars scalars;

  RuleFileReader(Problems problems) {
    this.problems = problems;
    this.scalars = new Scalars(problems);
  }

  RuleFile.@Nullable Valid read(Node root) {
    Fields fields =
        Fields.of(root, "a rule file must be a mapping with \"domain\" and \"rules\"", problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    Node domainNode = fields.required("domain", "begin with domain: NAME");
    String domain = domainNode == null ? null : scalars.name(domainNode, "domain");
    String known = domain == null ? UNKNOWN : domain;
    Node rulesNode = fields.required("rules", "list the rules, or write rules: [] for none");
    List<Node> items =
        rulesNode == null
            ? null
            : Fields.items(rulesNode, "rules must be a list, [] for none", problems);
    return items == null ? null : new RuleFile.Valid(known, rules(known, items));
  }

  private List<Rule> rules(String domain, List<Node> items) {
    List<Rule> rules = new ArrayList<>();
    Map<String, Node> ids = new HashMap<>();
    for (Node item : items) {
      Fields fields = Fields.of(item, "a rule must be a mapping that begins with id", problems);
      if (fields == null) {
        continue;
      }
      Rule rule = new RuleReader(problems).read(fields, new RuleId(domain, id(fields, ids)));
      if (rule != null) {
        rules.add(rule);
      }
    }
    return rules;
  }

  private String id(Fields fields, Map<String, Node> ids) {
    Node node = fields.required("id", "give the rule a name of its own");
    String id = node == null ? null : scalars.name(node, "id");
    if (node == null || id == null) {
      return UNKNOWN;
    }
    Node first = ids.putIfAbsent(id, node);
    if (first != null) {
      problems.at(
          node,
          "duplicate rule id "
              + Problems.quote(id)
              + "; first given in line "
              + Problems.line(first)
              + ", choose another");
    }
    return id;
  }
}
