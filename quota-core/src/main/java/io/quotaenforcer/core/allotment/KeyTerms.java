package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.Rule;

/**
 * A rule's terms for one quota key, or for all that have no override.
 *
 * @param limit with the key's override and the rule's tolerance
 * @param denied whether an override throttles every request
 * @param exempt whether an override has no request counted
 * @param tolerated permits that the tolerance added to the limit
 * @param own the rule's limit, where the enforcer told another one, which data gives or the load of
 *     the service; else the same
 */
record KeyTerms(Rule rule, Limit limit, boolean denied, boolean exempt, long tolerated, Limit own) {
  static KeyTerms of(QuotaKey quotaKey, Rule rule) {
    Limit limit = rule.limitOf(quotaKey);
    return new KeyTerms(
        rule,
        limit,
        rule.denies(quotaKey),
        rule.exempts(quotaKey),
        rule.toleratedOf(quotaKey),
        limit);
  }

  /** For the quota keys without an override. */
  static KeyTerms ofMost(Rule rule) {
    Limit limit = rule.limits().get(0);
    return new KeyTerms(
        rule, limit, false, false, limit.capacity() - rule.limit().capacity(), limit);
  }

  /**
   * The terms as an answer tells them, where data or the load of the service may give the key
   * another limit than the rule.
   *
   * @param permits of the limit, with the tolerance
   */
  KeyTerms told(long permits) {
    if (denied || permits == limit.permits() || OwnLimits.areFollowed(rule)) {
      return this;
    }
    return rule.adapt().isPresent() ? adapted(permits) : entitled(permits);
  }

  /** The terms where so much of the limit is in force by the load of this instance. */
  KeyTerms inForce(OwnLimits limits) {
    if (denied || !OwnLimits.areFollowed(rule)) {
      return this;
    }
    long permits = rule.inForce(own, limits.basisPoints(rule.id())).permits();
    return permits == limit.permits() ? this : adapted(permits);
  }

  private KeyTerms adapted(long permits) {
    if (permits == own.permits()) {
      return of(rule, own, this);
    }
    try {
      return of(rule, own.withPermits(permits), this);
    } catch (IllegalArgumentException e) {
      return this;
    }
  }

  private static KeyTerms of(Rule rule, Limit told, KeyTerms before) {
    return new KeyTerms(rule, told, false, before.exempt, rule.toleratedOf(told), before.own);
  }

  private KeyTerms entitled(long permits) {
    Limit told = rule.entitledTo(permits).orElse(null);
    if (told == null) {
      return this;
    }
    KeyTerms most = ofMost(rule);
    return permits == most.limit.permits()
        ? most
        : new KeyTerms(rule, told, false, exempt, rule.toleratedOf(told), most.limit);
  }

  /** These terms, with the limit that data gave the key under older ones. */
  KeyTerms after(KeyTerms older) {
    return older.limit == older.own ? this : told(older.limit.permits());
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

  /** The terms for opening the key: by no more than the rule's limit, whatever data gives it. */
  KeyOpening.Terms opening(int maxInstances) {
    Limit opened = limit.permits() > own.permits() ? own : limit;
    return new KeyOpening.Terms(opened, rule.opening(), maxInstances);
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
