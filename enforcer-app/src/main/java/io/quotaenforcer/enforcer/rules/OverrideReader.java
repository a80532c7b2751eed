package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads {@code [{key: {user: vip-7}, limit: {permits: 50}}, {key: {user: probe}, exempt: true}]}.
 */
final class OverrideReader {
  /** A decision looks at each of them. */
  static final int MAX_OVERRIDES = 1_000;

  private static final List<String> KEYS = List.of("key", "limit", "exempt");

  private final Problems problems;
  private final Scalars scalars;
  private final LimitReader limits;

  OverrideReader(Problems problems) {
    this.problems = problems;
    this.scalars = new Scalars(problems);
    this.limits = new LimitReader(problems);
  }

  /**
   * Reads the overrides of a rule.
   *
   * @param ruleKey the rule's key attributes; null when they are wrong themselves
   * @param ruleLimit the rule's limit; null when it is wrong itself
   */
  List<RuleOverride> read(Node node, @Nullable List<String> ruleKey, @Nullable Limit ruleLimit) {
    List<Node> items =
        Fields.items(node, "overrides must be a list such as [{key: {user: vip}, ...}]", problems);
    if (items == null) {
      return List.of();
    }
    if (items.size() > MAX_OVERRIDES) {
      problems.at(
          items.get(MAX_OVERRIDES),
          "too many overrides; at most " + MAX_OVERRIDES + " in a rule, use a rule of their own");
      return List.of();
    }
    List<RuleOverride> overrides = new ArrayList<>();
    Map<Map<String, String>, Node> seen = new HashMap<>();
    for (Node item : items) {
      RuleOverride override = override(item, ruleKey, ruleLimit);
      if (override == null) {
        continue;
      }
      Node first = seen.putIfAbsent(override.key(), item);
      if (first != null) {
        problems.at(
            item,
            "duplicate override of the same key; first given in line "
                + Problems.line(first)
                + ", keep one");
      }
      overrides.add(override);
    }
    return overrides;
  }

  private @Nullable RuleOverride override(
      Node node, @Nullable List<String> ruleKey, @Nullable Limit ruleLimit) {
    Fields fields =
        Fields.of(
            node,
            "an override must be a mapping such as {key: {user: vip}, limit: {permits: 50}}",
            problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    Node keyNode = fields.required("key", "give the values it is for, such as key: {user: vip}");
    Map<String, String> key = keyNode == null ? null : key(keyNode, ruleKey);
    Node limitNode = fields.optional("limit");
    Limit limit = limitNode == null ? null : limits.readOverride(limitNode, ruleLimit);
    boolean exempt = exempt(fields.optional("exempt"));
    if ((limitNode == null) == (fields.optional("exempt") == null)) {
      problems.at(node, "an override must have either \"limit\" or \"exempt: true\"; give one");
      return null;
    }
    if (key == null || (limit == null && !exempt)) {
      return null;
    }
    return new RuleOverride(key, Optional.ofNullable(limit));
  }

  private @Nullable Map<String, String> key(Node node, @Nullable List<String> ruleKey) {
    Fields fields =
        Fields.of(node, "key of an override must be a mapping such as {user: vip}", problems);
    if (fields == null) {
      return null;
    }
    if (fields.all().isEmpty()) {
      problems.at(node, "key of an override must not be empty; change the rule's limit instead");
      return null;
    }
    Map<String, String> key = new HashMap<>();
    fields
        .all()
        .forEach(
            (attribute, field) -> {
              if (ruleKey != null && !ruleKey.contains(attribute)) {
                notInKey(field.key(), attribute, ruleKey);
              }
              String value = value(field.value(), attribute);
              if (value != null) {
                key.put(attribute, value);
              }
            });
    return key.size() == fields.all().size() ? key : null;
  }

  private void notInKey(Node node, String attribute, List<String> ruleKey) {
    if (ruleKey.isEmpty()) {
      problems.at(
          node, "the rule has no key to override; add key: [" + attribute + "] to the rule");
    } else {
      problems.unknown(node, "key attribute", attribute, ruleKey);
    }
  }

  private @Nullable String value(Node node, String attribute) {
    String value = scalars.text(node, "the value of " + Problems.quote(attribute));
    if (value != null && value.length() > QuotaKey.MAX_VALUE_CHARS) {
      problems.at(
          node,
          "the value of "
              + Problems.quote(attribute)
              + " must have at most "
              + QuotaKey.MAX_VALUE_CHARS
              + " characters; longer ones are counted by their hash");
      return null;
    }
    return value;
  }

  private boolean exempt(@Nullable Node node) {
    String text = node == null ? null : scalars.text(node, "exempt");
    if (node != null && text != null && !text.equals("true")) {
      problems.at(
          node, "exempt must be true, not " + Problems.quote(text) + "; remove the override");
    }
    return "true".equals(text);
  }
}
