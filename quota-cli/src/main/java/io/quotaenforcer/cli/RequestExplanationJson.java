package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.match.Answer;
import io.quotaenforcer.rules.RequestExplanation;
import io.quotaenforcer.rules.RuleVerdict;
import io.quotaenforcer.rules.RuleYaml;
import java.util.List;
import java.util.TreeMap;

/** The effect of rules on a request, as JSON; {@code boundAway} is null if there is no bound. */
final class RequestExplanationJson {
  private RequestExplanationJson() {}

  static String of(RequestExplanation explained, boolean all) {
    ObjectNode root = Json.object();
    ObjectNode attributes = root.putObject("attributes");
    new TreeMap<>(explained.request().attributes()).forEach(attributes::put);
    root.put("partitions", explained.partitions())
        .put("maxInstances", explained.maxInstances())
        .put("rulesLookedAt", explained.verdicts().size());
    ArrayNode rules = root.putArray("rules");
    List<RuleVerdict> shown = all ? explained.verdicts() : explained.matching();
    shown.forEach(verdict -> add(rules.addObject(), verdict));
    ArrayNode notes = root.putArray("notes");
    explained.notes().forEach(notes::add);
    return Json.write(root);
  }

  private static void add(ObjectNode item, RuleVerdict verdict) {
    item.put("rule", verdict.rule().id().toString()).put("outcome", word(verdict.outcome()));
    ArrayNode conditions = item.putArray("conditions");
    for (RuleVerdict.Condition one : verdict.conditions()) {
      conditions
          .addObject()
          .put("attribute", one.attribute())
          .put("condition", one.text())
          .put("value", one.value().orElse(null))
          .put("holds", one.holds())
          .put("givenUp", one.answer() == Answer.GIVEN_UP);
    }
    if (verdict.outcome() instanceof RuleVerdict.Exempt exempt) {
      item.put("override", RuleYaml.override(exempt.override()));
    }
    if (verdict.outcome() instanceof RuleVerdict.Denied denied) {
      item.put("quotaKey", denied.quotaKey().toString())
          .put("override", RuleYaml.override(denied.override()));
    }
    if (verdict.outcome() instanceof RuleVerdict.Counted counted) {
      item.put("quotaKey", counted.quotaKey().toString())
          .put("partition", counted.partition())
          .put("limit", RuleYaml.limit(counted.limit()))
          .put("permits", counted.withTolerance().permits())
          .put("override", counted.override().map(RuleYaml::override).orElse(null));
      DeclaredBound bound = counted.bound();
      item.put("bound", bound.connected());
      bound
          .away()
          .ifPresentOrElse(away -> item.put("boundAway", away), () -> item.putNull("boundAway"));
    }
  }

  private static String word(RuleVerdict.Outcome outcome) {
    if (outcome instanceof RuleVerdict.Counted) {
      return "counted";
    }
    if (outcome instanceof RuleVerdict.Denied) {
      return "denied";
    }
    if (outcome instanceof RuleVerdict.Unhashed) {
      return "not-hashed";
    }
    return outcome instanceof RuleVerdict.Exempt ? "exempt" : "no-match";
  }
}
