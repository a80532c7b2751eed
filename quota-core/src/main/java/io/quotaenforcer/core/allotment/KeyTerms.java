package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;

/**
 * A rule's terms for one quota key, or for all that have no override.
 *
 * @param limit with the key's override and the rule's tolerance
 * @param denied whether an override throttles every request
 * @param exempt whether an override has no request counted
 * @param tolerated permits that the tolerance added to the limit
 */
record KeyTerms(Rule rule, Limit limit, boolean denied, boolean exempt, long tolerated) {
  static KeyTerms of(QuotaKey quotaKey, Rule rule) {
    return new KeyTerms(
        rule,
        rule.limitOf(quotaKey),
        rule.denies(quotaKey),
        rule.exempts(quotaKey),
        rule.toleratedOf(quotaKey));
  }

  /** For the quota keys without an override. */
  static KeyTerms ofMost(Rule rule) {
    Limit limit = rule.limits().get(0);
    return new KeyTerms(rule, limit, false, false, limit.capacity() - rule.limit().capacity());
  }

  /** Whether what was held and counted under {@code older} terms stays good under these. */
  boolean continues(KeyTerms older) {
    return rule.generation() == older.rule.generation()
        && rule.enforcement() == older.rule.enforcement()
        && denied == older.denied
        && rule.classes().equals(older.rule.classes())
        && isElastic() == older.isElastic()
        && !rule.startsNewGenerationAfter(older.rule);
  }

  /** The rule's terms for opening the key. */
  KeyOpening.Terms opening(int maxInstances) {
    return new KeyOpening.Terms(limit, rule.opening(), maxInstances);
  }

  /** The name of a class of requests; empty where the rule has none. */
  String className(int demandClass) {
    return rule.classes().name(demandClass);
  }

  /** Whether permits beyond the limit may be borrowed. */
  boolean isElastic() {
    return rule.elastic().isPresent();
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

  /** Whether requests hold slots until they end. */
  boolean isOfSlots() {
    return limit instanceof ConcurrencyLimit;
  }

  boolean isShadow() {
    return rule.mode() == Mode.SHADOW;
  }

  /** Whether requests are decided so while the enforcer is away. */
  boolean isWithoutEnforcer(OnUnavailable how) {
    return isBalanced() && rule.onUnavailable() == how;
  }
}
