package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.rules.Problems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps a limit from applying to requests to which its replacement applies. */
final class Replacements {
  private final Problems warnings;

  Replacements(Problems warnings) {
    this.warnings = warnings;
  }

  void apply(List<RuleDraft> drafts) {
    for (RuleDraft by : drafts) {
      for (EnvoyLimit.Replaced replaced : by.limit().replaces()) {
        List<RuleDraft> named =
            drafts.stream()
                .filter(draft -> draft.limit().name().equals(Optional.of(replaced.name())))
                .toList();
        if (named.isEmpty()) {
          warnings.at(
              replaced.place(),
              "no limit is named " + Problems.quote(replaced.name()) + "; nothing is replaced");
        }
        named.forEach(draft -> replace(draft, by, replaced));
      }
    }
  }

  private void replace(RuleDraft draft, RuleDraft by, EnvoyLimit.Replaced replaced) {
    Map<String, Matcher> open = new LinkedHashMap<>();
    for (Descriptor condition : by.path()) {
      Matcher own = own(draft, condition.key());
      if (own != null && !Values.overlap(own, condition.value())) {
        return;
      }
      if (own == null || !Values.covers(condition.value(), own)) {
        open.put(condition.key(), condition.value());
      }
    }
    boolean exact =
        by.overrides().isEmpty() && by.match().values().stream().noneMatch(Replacements::isCut);
    if (exact && open.isEmpty()) {
      draft.leaveOut();
      warnings.at(
          replaced.place(),
          Problems.quote(draft.toString()) + " is replaced for all of its requests; left out");
    } else if (exact && draft.key().containsAll(open.keySet()) && areValues(open)) {
      Map<String, String> values = new LinkedHashMap<>();
      open.forEach((key, value) -> values.put(key, ((Matcher.Exact) value).value()));
      draft.exempt(values);
    } else if (exact && open.size() == 1 && isOtherAttribute(draft, open)) {
      draft.condition(open.keySet().iterator().next(), new Matcher.Absent());
    } else {
      warnings.at(
          replaced.place(),
          "%s cannot give way to %s in a rule file; where both match, both hold"
              .formatted(Problems.quote(draft.toString()), Problems.quote(by.toString())));
    }
  }

  private static @Nullable Matcher own(RuleDraft draft, String key) {
    return draft.path().stream()
        .filter(condition -> condition.key().equals(key))
        .map(Descriptor::value)
        .findFirst()
        .orElse(null);
  }

  /** Whether a rule covers less than its path says. */
  private static boolean isCut(Matcher matcher) {
    return matcher instanceof Matcher.Regex || matcher instanceof Matcher.Absent;
  }

  private static boolean areValues(Map<String, Matcher> open) {
    return open.values().stream().allMatch(Matcher.Exact.class::isInstance);
  }

  private static boolean isOtherAttribute(RuleDraft draft, Map<String, Matcher> open) {
    return open.entrySet().stream()
        .allMatch(
            entry -> entry.getValue() instanceof Matcher.Any && own(draft, entry.getKey()) == null);
  }
}
