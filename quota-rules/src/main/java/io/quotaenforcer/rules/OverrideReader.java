package io.quotaenforcer.rules;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.hash.HashedText;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads {@code [{key: {user: vip-7}, limit: {permits: 50}}, {key: {user: "bot*"}, deny: true}]}.
 */
final class OverrideReader {
  /** The rule is one record of Kafka, of at most a megabyte by default. */
  static final int MAX_OVERRIDES = 10_000;

  /** A decision may have to try all of them. */
  static final int MAX_EXPRESSIONS = 100;

  private static final List<String> KEYS = List.of("key", "limit", "exempt", "deny");

  private final Problems problems;
  private final LimitReader limits;
  private final MatchReader conditions;

  OverrideReader(Problems problems) {
    this.problems = problems;
    this.limits = new LimitReader(problems);
    this.conditions = new MatchReader(problems);
  }

  /**
   * Reads the overrides of a rule.
   *
   * @param ruleKey the rule's key attributes; null if they are wrong themselves
   * @param ruleLimit the rule's limit; null if it is wrong itself
   */
  List<RuleOverride> read(Node node, @Nullable RuleKey ruleKey, @Nullable Limit ruleLimit) {
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
    Map<Map<String, Matcher>, Node> seen = new HashMap<>();
    int expressions = 0;
    for (Node item : items) {
      RuleOverride override = override(item, ruleKey, ruleLimit);
      if (override == null) {
        continue;
      }
      Node first = seen.putIfAbsent(override.key(), item);
      if (first != null) {
        problems.at(
            item,
            "duplicate override of the same key; first given in line %s, keep one"
                .formatted(Problems.line(first)));
      }
      if (override.key().values().stream().anyMatch(Matcher.Regex.class::isInstance)
          && ++expressions == MAX_EXPRESSIONS + 1) {
        problems.at(
            item,
            "too many overrides with a regex; at most %s in a rule, use values, \"prefix*\" or cidr"
                .formatted(MAX_EXPRESSIONS));
      }
      overrides.add(override);
    }
    return overrides;
  }

  private @Nullable RuleOverride override(
      Node node, @Nullable RuleKey ruleKey, @Nullable Limit ruleLimit) {
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
    Map<String, Matcher> key = keyNode == null ? null : key(keyNode, ruleKey);
    OverrideEffect effect = effect(node, fields, ruleLimit);
    return key == null || effect == null ? null : new RuleOverride(key, effect);
  }

  private @Nullable OverrideEffect effect(Node node, Fields fields, @Nullable Limit ruleLimit) {
    Node limitNode = fields.optional("limit");
    Node exempt = fields.optional("exempt");
    Node deny = fields.optional("deny");
    Limit limit = limitNode == null ? null : limits.readOverride(limitNode, ruleLimit);
    boolean isExempt = exempt != null && isTrue(exempt, "exempt");
    boolean isDenied = deny != null && isTrue(deny, "deny");
    if (Stream.of(limitNode, exempt, deny).filter(Objects::nonNull).count() != 1) {
      problems.at(
          node,
          "an override must have one of \"limit\", \"exempt: true\" and \"deny: true\"; give one");
      return null;
    }
    if (limit != null) {
      return new OverrideEffect.Limited(limit);
    }
    if (isExempt) {
      return new OverrideEffect.Exempt();
    }
    return isDenied ? new OverrideEffect.Denied() : null;
  }

  private boolean isTrue(Node node, String what) {
    return conditions.scalars().isTrue(node, what, "remove the override");
  }

  private @Nullable Map<String, Matcher> key(Node node, @Nullable RuleKey ruleKey) {
    Fields fields =
        Fields.of(node, "key of an override must be a mapping such as {user: vip}", problems);
    if (fields == null) {
      return null;
    }
    if (fields.all().isEmpty()) {
      problems.at(node, "key of an override must not be empty; change the rule's limit instead");
      return null;
    }
    Map<String, Matcher> key = new HashMap<>();
    fields
        .all()
        .forEach(
            (attribute, field) -> {
              if (ruleKey != null && !ruleKey.names().contains(attribute)) {
                notInKey(field.key(), attribute, ruleKey.names());
              }
              Matcher condition = conditions.condition(field.value(), attribute);
              if (condition != null && isPossible(field.value(), attribute, condition, ruleKey)) {
                key.put(attribute, condition);
              }
            });
    return key.size() == fields.all().size() ? key : null;
  }

  /** Whether some quota keys, but not all, can meet the condition. */
  private boolean isPossible(
      Node node, String attribute, Matcher condition, @Nullable RuleKey ruleKey) {
    if (condition instanceof Matcher.Any) {
      problems.at(node, "\"*\" is every value of " + Problems.quote(attribute) + "; leave it out");
      return false;
    }
    if (ruleKey != null && ruleKey.hashed().contains(attribute)) {
      return isHash(node, attribute, condition);
    }
    if (condition instanceof Matcher.Absent) {
      problems.at(
          node,
          Problems.quote(attribute)
              + " is in the rule's key and so never absent; remove the override");
      return false;
    }
    if (!(condition instanceof Matcher.Exact exact)) {
      return true;
    }
    return ruleKey == null || isCounted(node, attribute, exact.value(), ruleKey);
  }

  /** Says nothing of what is there instead: it may be the value that nobody is to see. */
  private boolean isHash(Node node, String attribute, Matcher condition) {
    if (condition instanceof Matcher.Exact exact && HashedText.isOne(exact.value())) {
      return true;
    }
    problems.at(
        node,
        "%s is hashed by the rule, so an override is for one hash; write what quota hash prints for"
                .formatted(Problems.quote(attribute))
            + " the value");
    return false;
  }

  /** An address within a network is not a value of a quota key: the network is. */
  private boolean isCounted(Node node, String attribute, String value, RuleKey ruleKey) {
    for (KeyAttribute each : ruleKey.attributes()) {
      if (each.name().equals(attribute) && !each.part(value).equals(value)) {
        problems.at(
            node,
            "%s is counted as %s; write that, or {cidr: ...} for several networks"
                .formatted(Problems.quote(value), Problems.quote(each.part(value))));
        return false;
      }
    }
    return true;
  }

  private void notInKey(Node node, String attribute, List<String> ruleKey) {
    if (ruleKey.isEmpty()) {
      problems.at(
          node, "the rule has no key to override; add key: [" + attribute + "] to the rule");
    } else {
      problems.unknown(node, "key attribute", attribute, ruleKey);
    }
  }
}
