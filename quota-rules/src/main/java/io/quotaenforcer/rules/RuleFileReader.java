package io.quotaenforcer.rules;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleField.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a whole rule file: its domain and its rules. */
record RuleFileReader(Problems problems, Scalars scalars) {
  private static final List<String> KEYS = List.of("domain", "rules");

  /** Replaces a wrong domain, so that the rest is still checked. */
  private static final String UNKNOWN = "unknown";

  RuleFileReader(Problems problems) {
    this(problems, new Scalars(problems));
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
    Map<String, @Nullable Node> elastic = new HashMap<>();
    KeysInTheClear clear = new KeysInTheClear(problems);
    for (Node item : items) {
      Fields fields = Fields.of(item, "a rule must be a mapping that begins with id", problems);
      if (fields == null) {
        continue;
      }
      int before = problems.count();
      Reading read = RuleFields.read(fields, problems);
      checkUnique(read, ids);
      clear.check(read);
      if (read.isRight() && problems.count() == before) {
        rule(domain, read).ifPresent(rules::add);
        elastic.put(read.get(RuleFields.ID), fields.optional(ElasticFields.ELASTIC));
      }
    }
    ElasticFields.check(rules, elastic, ids, problems);
    return rules;
  }

  private Optional<Rule> rule(String domain, Reading read) {
    try {
      return Optional.of(RuleFields.toRule(domain, read));
    } catch (IllegalArgumentException e) {
      Node tolerance = read.fields().optional(RuleFields.TOLERANCE.spelling().name());
      Node borrows = read.fields().optional(ElasticFields.ELASTIC);
      String tooMuch = ElasticFields.tooMuch(read);
      if (borrows != null && tooMuch != null) {
        problems.at(borrows, tooMuch);
        return Optional.empty();
      }
      problems.at(
          tolerance == null ? read.fields().node() : tolerance,
          "the limit with its tolerance " + e.getMessage() + "; choose a smaller tolerance");
      return Optional.empty();
    }
  }

  private void checkUnique(Reading read, Map<String, Node> ids) {
    String id = read.ifRight(RuleFields.ID);
    Node node = read.fields().optional(RuleFields.ID.spelling().name());
    Node first = id == null || node == null ? null : ids.putIfAbsent(id, node);
    if (id != null && node != null && first != null) {
      problems.at(
          node,
          "duplicate rule id %s; first given in line %d, choose another"
              .formatted(Problems.quote(id), Problems.line(first)));
    }
  }
}
