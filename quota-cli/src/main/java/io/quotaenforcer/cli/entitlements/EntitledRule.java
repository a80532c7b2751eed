package io.quotaenforcer.cli.entitlements;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Suggestions;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Optional;

/**
 * A published rule that takes limits from data: which quota keys it has, and which limits.
 *
 * @param hashKeys by which it hashes values; none where it hashes none, or hashes are given
 */
public record EntitledRule(Rule rule, HashKeys hashKeys) {

  /**
   * @throws IllegalArgumentException if the rule takes no limits from data, saying what to do
   */
  public EntitledRule {
    if (rule.entitlements().isEmpty()) {
      throw new IllegalArgumentException(
          "rule %s takes no limits from entitlements; add limits-from: entitlements to it first"
              .formatted(rule.id()));
    }
  }

  /** The attributes of its quota keys, in their order. */
  public List<String> attributes() {
    return rule.key().names();
  }

  /**
   * The quota keys of these values: two while keys for hashes are rotated.
   *
   * @param values of the key attributes, in their order
   * @throws IllegalArgumentException if they make none, saying why
   */
  public List<QuotaKey> keysOf(List<String> values) {
    return new KeyedRule(rule, hashKeys).keysOf(values);
  }

  /** Why an entitlement gives none of the rule's limits, and what to do; empty if it gives one. */
  public Optional<String> problem(Entitlement entitlement) {
    if (rule.entitled(entitlement).isPresent()) {
      return Optional.empty();
    }
    if (entitlement instanceof Entitlement.Plan plan) {
      List<String> plans =
          List.copyOf(rule.entitlements().orElse(Entitlements.NO_PLANS).plans().keySet());
      String remedy =
          plans.isEmpty()
              ? "it has none: add plans to it first, or give permits"
              : Suggestions.nearest(plan.name(), plans)
                  .map(
                      it ->
                          "did you mean \"%s\"? (one of %s)"
                              .formatted(it, String.join(", ", plans)))
                  .orElse("use one of " + String.join(", ", plans));
      return Optional.of(
          "rule %s has no plan \"%s\"; %s".formatted(rule.id(), plan.name(), remedy));
    }
    return Optional.of(
        "the limit of rule %s cannot have so many permits (of a bucket 1 or more, and a whole multiple of its own is always right); give another number"
            .formatted(rule.id()));
  }
}
