package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A rule in the making, for the last descriptor of a path. Used by one thread. */
final class RuleDraft {
  private final List<Descriptor> path;
  private final Map<String, Matcher> match = new LinkedHashMap<>();
  private final List<String> key = new ArrayList<>();
  private final Map<Map<String, Matcher>, RuleOverride> exempt = new LinkedHashMap<>();
  private final Map<Map<String, Matcher>, RuleOverride> limited = new LinkedHashMap<>();
  private boolean leftOut;

  /**
   * @param path from the outermost descriptor to the one with the limit
   */
  RuleDraft(List<Descriptor> path) {
    this.path = List.copyOf(path);
    for (Descriptor descriptor : path) {
      if (!(descriptor.value() instanceof Matcher.Any)) {
        match.put(descriptor.key(), descriptor.value());
      }
      if (descriptor.countsApart()) {
        key.add(descriptor.key());
      }
    }
  }

  Descriptor descriptor() {
    return path.get(path.size() - 1);
  }

  List<Descriptor> path() {
    return path;
  }

  EnvoyLimit limit() {
    return descriptor().limit().orElseThrow();
  }

  Map<String, Matcher> match() {
    return match;
  }

  List<String> key() {
    return key;
  }

  /** Among overrides of equally many attributes the first applies: exempt values stay exempt. */
  List<RuleOverride> overrides() {
    List<RuleOverride> overrides = new ArrayList<>(exempt.values());
    limited.forEach(
        (values, override) -> {
          if (!exempt.containsKey(values)) {
            overrides.add(override);
          }
        });
    return overrides;
  }

  void exempt(Map<String, String> values) {
    exempt(RuleOverride.exempt(values));
  }

  /** Exempts all values of a pattern, which must be for a key attribute. */
  void exempt(String attribute, Matcher pattern) {
    exempt(new RuleOverride(Map.of(attribute, pattern), new OverrideEffect.Exempt()));
  }

  private void exempt(RuleOverride override) {
    exempt.put(override.key(), override);
  }

  void override(RuleOverride override) {
    limited.put(override.key(), override);
  }

  void condition(String attribute, Matcher matcher) {
    match.put(attribute, matcher);
  }

  /** Has it not be written. */
  void leaveOut() {
    leftOut = true;
  }

  boolean isWritten() {
    return !leftOut && descriptor().isLimited();
  }

  /** The path as it appears in a request: {@code message_type=marketing, to_number}. */
  @Override
  public String toString() {
    return path.stream().map(Descriptor::toString).collect(Collectors.joining(", "));
  }
}
