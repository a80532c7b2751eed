package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.algorithm.Limit;
import java.util.Map;
import java.util.Optional;

/**
 * Another limit, or none, for some quota keys of a rule.
 *
 * @param key values of key attributes that must all be equal; a subset of the rule's key
 * @param limit the limit for these keys; empty means exempt: not limited and not counted
 */
public record RuleOverride(Map<String, String> key, Optional<Limit> limit) {
  public RuleOverride {
    key = Map.copyOf(key);
  }

  public static RuleOverride exempt(Map<String, String> key) {
    return new RuleOverride(key, Optional.empty());
  }

  boolean appliesTo(Map<String, String> attributes) {
    for (Map.Entry<String, String> entry : key.entrySet()) {
      if (!entry.getValue().equals(attributes.get(entry.getKey()))) {
        return false;
      }
    }
    return true;
  }
}
