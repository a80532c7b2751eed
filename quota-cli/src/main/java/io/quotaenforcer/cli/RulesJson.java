package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.api.RuleJson;
import io.quotaenforcer.enforcer.rules.VersionChange;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleDiffText;
import io.quotaenforcer.rules.RuleExplanation;
import io.quotaenforcer.rules.RuleYaml;
import java.time.Instant;
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

  /** A list; {@code boundAway} is null when there is no bound. */
  static String explanations(List<RuleExplanation> explained) {
    ArrayNode list = JSON.createArrayNode();
    for (RuleExplanation one : explained) {
      ObjectNode item =
          list.addObject()
              .put("rule", one.rule().id().toString())
              .put("summary", RuleDiffText.summary(one.rule()))
              .put("maxInstances", one.maxInstances())
              .put("bound", one.bound().connected());
      one.bound()
          .away()
          .ifPresentOrElse(away -> item.put("boundAway", away), () -> item.putNull("boundAway"));
      item.put("expectedOver", one.bound().expected());
      RuleJson.putWords(item, one);
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
        item.put("change", "changed").put("version", changed.after().version());
        putFields(item, changed);
      } else {
        item.put("change", word(change));
      }
    }
    return root.toPrettyString();
  }

  /**
   * A list; {@code author} and {@code message} are null when they are not known, {@code yaml} when
   * the version deleted the rule, {@code change} when the version before it is not known.
   */
  static String history(List<VersionChange> versions) {
    ArrayNode list = JSON.createArrayNode();
    for (VersionChange one : versions) {
      ObjectNode item =
          list.addObject()
              .put("rule", one.version().id().toString())
              .put("version", one.version().version())
              .put("at", Instant.ofEpochMilli(one.version().atMillis()).toString())
              .put("author", one.version().author().orElse(null))
              .put("message", one.version().message().orElse(null))
              .put("change", one.change().map(RulesJson::word).orElse(null));
      if (one.change().orElse(null) instanceof RuleChange.Changed changed) {
        putFields(item, changed);
      }
      item.put("yaml", one.version().yaml().orElse(null));
      one.problem().ifPresent(problem -> item.put("problem", problem));
    }
    return list.toPrettyString();
  }

  private static String word(RuleChange change) {
    return change.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  private static void putFields(ObjectNode item, RuleChange.Changed changed) {
    item.put("countsAnew", changed.countsAnew());
    ArrayNode fields = item.putArray("fields");
    for (RuleChange.FieldChange field : changed.fields()) {
      fields
          .addObject()
          .put("field", field.field())
          .put("before", field.before())
          .put("after", field.after());
    }
  }
}
