package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;

/**
 * What a rule says of one quota key.
 *
 * @param limit with the key's override and the rule's tolerance
 * @param denied whether an override throttles every request
 * @param tolerated permits that the tolerance added to the limit
 */
record KeyTerms(QuotaKey quotaKey, Rule rule, Limit limit, boolean denied, long tolerated) {
  static KeyTerms of(QuotaKey quotaKey, Rule rule) {
    return new KeyTerms(
        quotaKey, rule, rule.limitOf(quotaKey), rule.denies(quotaKey), rule.toleratedOf(quotaKey));
  }

  /** Whether what was held and counted under {@code older} terms stays good under these. */
  boolean continues(KeyTerms older) {
    return rule.generation() == older.rule.generation()
        && rule.enforcement() == older.rule.enforcement()
        && denied == older.denied
        && !rule.startsNewGenerationAfter(older.rule);
  }

  boolean isStrict() {
    return rule.enforcement() == Enforcement.STRICT;
  }

  boolean isBalanced() {
    return rule.enforcement() == Enforcement.BALANCED;
  }

  /** Whether each instance has the limit for itself. */
  boolean isAlone() {
    return rule.enforcement() == Enforcement.PER_INSTANCE;
  }

  boolean isShadow() {
    return rule.mode() == Mode.SHADOW;
  }

  /** Whether requests are decided so while the enforcer is away. */
  boolean isWithoutEnforcer(OnUnavailable how) {
    return isBalanced() && rule.onUnavailable() == how;
  }
}
