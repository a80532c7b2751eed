package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.adapt.AdaptedLimit;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.Rule;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rule's terms for one quota key, or for all that have no override.
 *
 * @param limit with the key's override and the rule's tolerance
 * @param denied whether an override throttles every request
 * @param exempt whether an override has no request counted
 * @param tolerated permits that the tolerance added to the limit
 * @param own the rule's limit, where the enforcer told another one, which data gives or the load of
 *     the service; else the same
 * @param why of a limit that follows the load, so much of it is in force; null while it is as it is
 *     written, or nobody said why
 */
record KeyTerms(
    Rule rule,
    Limit limit,
    boolean denied,
    boolean exempt,
    long tolerated,
    Limit own,
    @Nullable LimitInForce why) {
  static KeyTerms of(QuotaKey quotaKey, Rule rule) {
    Limit limit = rule.limitOf(quotaKey);
    return new KeyTerms(
        rule,
        limit,
        rule.denies(quotaKey),
        rule.exempts(quotaKey),
        rule.toleratedOf(quotaKey),
        limit,
        null);
  }

  /** For the quota keys without an override. */
  static KeyTerms ofMost(Rule rule) {
    Limit limit = rule.limits().get(0);
    return new KeyTerms(
        rule, limit, false, false, limit.capacity() - rule.limit().capacity(), limit, null);
  }

  /**
   * The terms as an answer tells them, where data or the load of the service may give the key
   * another limit than the rule.
   *
   * @param permits of the limit, with the tolerance
   * @param toldWhy where the limit is another by the load, and the answer says why
   */
  KeyTerms told(long permits, @Nullable LimitInForce toldWhy) {
    if (denied || OwnLimits.areFollowed(rule)) {
      return this;
    }
    if (rule.adapt().isPresent()) {
      return adapted(permits, toldWhy);
    }
    return permits == limit.permits() ? this : entitled(permits);
  }

  /** The terms where so much of the limit is in force by the load of this instance. */
  KeyTerms inForce(OwnLimits limits) {
    if (denied || !OwnLimits.areFollowed(rule)) {
      return this;
    }
    LimitInForce now = limits.of(rule.id()).filter(it -> !it.isWhole()).orElse(null);
    long permits = rule.inForce(own, limits.basisPoints(rule.id())).permits();
    return adapted(permits, now);
  }

  /** Terms of the same limit keep the limit itself, by which it is known that it is the same. */
  private KeyTerms adapted(long permits, @Nullable LimitInForce now) {
    if (permits == limit.permits()) {
      return Objects.equals(why, now) ? this : adapted(limit, now);
    }
    if (permits == own.permits()) {
      return adapted(own, now);
    }
    try {
      return adapted(own.countable(permits), now);
    } catch (IllegalArgumentException e) {
      return this;
    }
  }

  private KeyTerms adapted(Limit told, @Nullable LimitInForce now) {
    return new KeyTerms(rule, told, false, exempt, rule.toleratedOf(told), own, now);
  }

  /** The limit that is in force by the load, and why; null while it is as it is written. */
  @Nullable AdaptedLimit adapted() {
    return why == null ? null : new AdaptedLimit(limit.permits(), own.permits(), why);
  }

  private KeyTerms entitled(long permits) {
    Limit told = rule.entitledTo(permits).orElse(null);
    if (told == null) {
      return this;
    }
    KeyTerms most = ofMost(rule);
    return permits == most.limit.permits()
        ? most
        : new KeyTerms(rule, told, false, exempt, rule.toleratedOf(told), most.limit, null);
  }

  /** These terms, with the limit that data or the load gave the key under older ones. */
  KeyTerms after(KeyTerms older) {
    return older.limit == older.own ? this : told(older.limit.permits(), older.why);
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
