package io.quotaenforcer.enforcer.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.rules.RuleChange;
import io.quotaenforcer.enforcer.rules.RuleDiffText;
import io.quotaenforcer.enforcer.rules.RuleYaml;
import java.util.List;
import java.util.Locale;

/** Rules and changes as JSON. */
final class RulesJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private RulesJson() {}

  /** A list; {@code yaml} holds the whole rule as a rule file. */
  static String rules(List<Rule> rules) {
    ArrayNode list = JSON.createArrayNode();
    for (Rule rule : rules) {
      list.addObject()
          .put("rule", rule.id().toString())
          .put("version", rule.version())
          .put("generation", rule.generation())
          .put("summary", RuleDiffText.summary(rule))
          .put("yaml", RuleYaml.file(rule.id().domain(), List.of(rule)));
    }
    return list.toPrettyString();
  }

  static String changes(List<RuleChange> changes, boolean dryRun) {
    ObjectNode root = JSON.createObjectNode().put("published", !dryRun);
    ArrayNode list = root.putArray("changes");
    for (RuleChange change : changes) {
      ObjectNode item = list.addObject().put("rule", change.id().toString());
      if (change instanceof RuleChange.Added added) {
        item.put("change", "added").put("version", added.rule().version());
      } else if (change instanceof RuleChange.Changed changed) {
        item.put("change", "changed")
            .put("version", changed.after().version())
            .put("countsAnew", changed.countsAnew());
        ArrayNode fields = item.putArray("fields");
        for (RuleChange.FieldChange field : changed.fields()) {
          fields
              .addObject()
              .put("field", field.field())
              .put("before", field.before())
              .put("after", field.after());
        }
      } else {
        item.put("change", change.getClass().getSimpleName().toLowerCase(Locale.ROOT));
      }
    }
    return root.toPrettyString();
  }
}
