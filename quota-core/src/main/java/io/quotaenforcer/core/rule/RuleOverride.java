package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Another limit, none, or no permits at all for some quota keys of a rule.
 *
 * @param key conditions on parts of the quota key that must all hold; on a subset of the rule's key
 *     attributes, which are always there: neither {@link Matcher.Any} nor {@link Matcher.Absent}
 */
public record RuleOverride(Map<String, Matcher> key, OverrideEffect effect) {
  public RuleOverride {
    key = Map.copyOf(key);
    for (Matcher matcher : key.values()) {
      if (matcher instanceof Matcher.Any || matcher instanceof Matcher.Absent) {
        throw new IllegalArgumentException(
            "must be a value or a pattern, for it is always there: override.key=" + key);
      }
    }
  }

  /** Another limit for quota keys with these values. */
  public static RuleOverride limited(Map<String, String> values, Limit limit) {
    return new RuleOverride(exactly(values), new OverrideEffect.Limited(limit));
  }

  /** No limit for quota keys with these values. */
  public static RuleOverride exempt(Map<String, String> values) {
    return new RuleOverride(exactly(values), new OverrideEffect.Exempt());
  }

  /** No permits for quota keys with these values. */
  public static RuleOverride denied(Map<String, String> values) {
    return new RuleOverride(exactly(values), new OverrideEffect.Denied());
  }

  /** The limit that it gives; empty when it exempts or denies. */
  public Optional<Limit> limit() {
    return effect instanceof OverrideEffect.Limited limited
        ? Optional.of(limited.limit())
        : Optional.empty();
  }

  private static Map<String, Matcher> exactly(Map<String, String> values) {
    Map<String, Matcher> key = new HashMap<>();
    values.forEach((attribute, value) -> key.put(attribute, new Matcher.Exact(value)));
    return key;
  }
}
