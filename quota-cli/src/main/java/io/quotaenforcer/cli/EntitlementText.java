package io.quotaenforcer.cli;

import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.core.rule.Rule;
import java.util.Optional;

/** Limits by data, in words. */
final class EntitlementText {
  private EntitlementText() {}

  /** What a quota key has by data, or that it has nothing. */
  static String of(Rule rule, Optional<Entitlement> entitlement) {
    if (entitlement.isEmpty()) {
      return "no entitlement, the rule's own limit holds: " + permits(rule.limit());
    }
    Entitlement is = entitlement.get();
    String what = "exempt";
    if (is instanceof Entitlement.Permits number) {
      what = Figures.number(number.permits()) + " permits";
    } else if (is instanceof Entitlement.Plan plan) {
      what = "plan " + plan.name();
    }
    return rule.entitled(is)
        .map(limit -> is instanceof Entitlement.Plan ? " (" + permits(limit) + ")" : "")
        .map(what::concat)
        .orElse(what + ", which the rule has not: its own limit holds: " + permits(rule.limit()));
  }

  private static String permits(Limit limit) {
    return Figures.number(limit.permits()) + " permits";
  }
}
