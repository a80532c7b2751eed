package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.RuleId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * States that quota keys of a rule may have limits by {@linkplain Entitlement data}, and the plans
 * that these may name. Immutable.
 *
 * @param plans permits by name, in the order of the names
 */
public record Entitlements(Map<String, Long> plans) {
  public static final int MAX_PLANS = 100;

  /** Without plans: entitlements are numbers of permits, or exempt. */
  public static final Entitlements NO_PLANS = new Entitlements(Map.of());

  public Entitlements {
    plans = Collections.unmodifiableMap(new TreeMap<>(plans));
    if (plans.size() > MAX_PLANS) {
      throw new IllegalArgumentException(
          "must be at most %d: plans has %d".formatted(MAX_PLANS, plans.size()));
    }
    plans.forEach(
        (name, permits) -> {
          checkName(name);
          new Entitlement.Permits(permits);
        });
  }

  static void checkName(String plan) {
    if (!RuleId.isName(plan)) {
      throw new IllegalArgumentException(
          "must be 1 to %d of A-Z a-z 0-9 . _ -: plan=%s".formatted(RuleId.MAX_CHARS, plan));
    }
  }
}
