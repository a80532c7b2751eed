package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.match.Matcher;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A quota: the requests that it matches, what it counts them by, the limit, and what happens over
 * it. Immutable.
 */
public record Rule(
    RuleId id,
    RuleScope scope,
    Allowance allowance,
    Keeping keeping,
    Consequence consequence,
    Edition edition) {

  public Rule {
    RuleChecks.check(scope, allowance, keeping, consequence);
  }

  /**
   * A rule with every default of the rule language: balanced, enforced, throttling, local; of a
   * concurrency limit, strict.
   */
  public static Rule of(RuleId id, List<String> key, Limit limit) {
    return new Rule(
        id,
        new RuleScope(Map.of(), RuleKey.of(key)),
        Allowance.of(limit),
        limit instanceof ConcurrencyLimit ? Keeping.STRICT : Keeping.DEFAULTS,
        Consequence.DEFAULTS,
        Edition.UNPUBLISHED);
  }

  /** Conditions on attributes, all of which must hold; empty matches every request. */
  public Map<String, Matcher> match() {
    return scope.match();
  }

  /** The attributes of the quota key; a request without one of them is not matched. */
  public RuleKey key() {
    return scope.key();
  }

  /** The classes of its requests, in the order in which they are served. */
  public DemandClasses classes() {
    return scope.classes();
  }

  /** Which of its requests count, by how they turn out. */
  public CountWhen count() {
    return scope.count();
  }

  /** The limit of a quota key without override, before the tolerance. */
  public Limit limit() {
    return allowance.limit();
  }

  /** How far above the limit permits are still given, in hundredths of a percent. */
  public int toleranceBasisPoints() {
    return allowance.toleranceBasisPoints();
  }

  /** The overrides that replace the limit for some quota keys. */
  public Overrides overrides() {
    return allowance.overrides();
  }

  /** How far quota keys may go beyond their limit, if they may. */
  public Optional<Elastic> elastic() {
    return allowance.elastic();
  }

  /** What data may give quota keys that no override names, if it may. */
  public Optional<Entitlements> entitlements() {
    return allowance.entitlements();
  }

  /** How the limits follow the load of the service, if they do. */
  public Optional<AdaptTerms> adapt() {
    return allowance.adapt();
  }

  /** Whether a quota key may have another limit than the rule alone gives it. */
  public boolean limitsMayDiffer() {
    return entitlements().isPresent() || adapt().isPresent();
  }

  public Enforcement enforcement() {
    return keeping.enforcement();
  }

  /** The permits that an instance may admit by its own count; only for balanced rules. */
  public Opening opening() {
    return keeping.opening();
  }

  public OnUnavailable onUnavailable() {
    return keeping.onUnavailable();
  }

  public OverLimit overLimit() {
    return consequence.overLimit();
  }

  public Mode mode() {
    return consequence.mode();
  }

  /** The HTTP status of an answer that refuses a request. */
  public int status() {
    return consequence.status();
  }

  /** What a quota key that keeps on asking beyond its limit is refused besides, if it is. */
  public Optional<PenaltyTerms> penalty() {
    return consequence.penalty();
  }

  /** Counts the changes of this rule, from 1; 0 before it is published. */
  public long version() {
    return edition.version();
  }

  /** The version from which on counts carry over. */
  public long generation() {
    return edition.generation();
  }

  public Rule withMatch(Map<String, Matcher> newMatch) {
    return with(new RuleScope(newMatch, key(), classes(), count()));
  }

  public Rule withKey(RuleKey newKey) {
    return with(new RuleScope(match(), newKey, classes(), count()));
  }

  public Rule withClasses(DemandClasses newClasses) {
    return with(new RuleScope(match(), key(), newClasses, count()));
  }

  public Rule withCount(CountWhen newCount) {
    return with(new RuleScope(match(), key(), classes(), newCount));
  }

  public Rule withLimit(Limit newLimit) {
    return with(
        new Allowance(
            newLimit, toleranceBasisPoints(), overrides(), elastic(), entitlements(), adapt()));
  }

  /**
   * @param basisPoints how far above the limit permits are still given, in hundredths of a percent
   */
  public Rule withTolerance(int basisPoints) {
    return with(
        new Allowance(limit(), basisPoints, overrides(), elastic(), entitlements(), adapt()));
  }

  public Rule withOverrides(List<RuleOverride> newOverrides) {
    return with(
        new Allowance(
            limit(),
            toleranceBasisPoints(),
            Overrides.of(newOverrides),
            elastic(),
            entitlements(),
            adapt()));
  }

  public Rule withElastic(Elastic elastic) {
    return with(
        new Allowance(
            limit(),
            toleranceBasisPoints(),
            overrides(),
            Optional.of(elastic),
            entitlements(),
            adapt()));
  }

  public Rule withEntitlements(Entitlements entitlements) {
    return with(
        new Allowance(
            limit(),
            toleranceBasisPoints(),
            overrides(),
            elastic(),
            Optional.of(entitlements),
            adapt()));
  }

  public Rule withAdapt(AdaptTerms adapt) {
    return with(
        new Allowance(
            limit(),
            toleranceBasisPoints(),
            overrides(),
            elastic(),
            entitlements(),
            Optional.of(adapt)));
  }

  /**
   * The rule by which is counted what quota keys of this one borrow. No request matches it: who has
   * no room by this rule is decided by that one and by the pool. Nobody borrows from a pool that is
   * not heard of, so it denies while the enforcer is away.
   */
  public Rule borrowing(Elastic by) {
    return new Rule(
        Elastic.borrowedId(id),
        scope,
        allowance.beyond(by),
        withOnUnavailable(OnUnavailable.DENY).keeping,
        withOverLimit(OverLimit.THROTTLE).consequence,
        edition);
  }

  /** Strict rules never decide from anything but grants, so they deny when the enforcer is away. */
  public Rule withEnforcement(Enforcement newEnforcement) {
    return with(
        new Keeping(
            newEnforcement,
            opening(),
            newEnforcement == Enforcement.STRICT ? OnUnavailable.DENY : onUnavailable()));
  }

  public Rule withOpening(Opening newOpening) {
    return with(new Keeping(enforcement(), newOpening, onUnavailable()));
  }

  public Rule withOnUnavailable(OnUnavailable newOnUnavailable) {
    return with(new Keeping(enforcement(), opening(), newOnUnavailable));
  }

  public Rule withOverLimit(OverLimit newOverLimit) {
    return with(new Consequence(newOverLimit, mode(), status(), penalty()));
  }

  public Rule withMode(Mode newMode) {
    return with(new Consequence(overLimit(), newMode, status(), penalty()));
  }

  /**
   * @throws IllegalArgumentException if it is none of {@link Consequence#STATUSES}
   */
  public Rule withStatus(int newStatus) {
    return with(new Consequence(overLimit(), mode(), newStatus, penalty()));
  }

  public Rule withPenalty(PenaltyTerms penalty) {
    return with(new Consequence(overLimit(), mode(), status(), Optional.of(penalty)));
  }

  public Rule withVersion(long newVersion, long newGeneration) {
    return new Rule(
        id, scope, allowance, keeping, consequence, new Edition(newVersion, newGeneration));
  }

  private Rule with(RuleScope other) {
    return new Rule(id, other, allowance, keeping, consequence, edition);
  }

  private Rule with(Allowance other) {
    return new Rule(id, scope, other, keeping, consequence, edition);
  }

  private Rule with(Keeping other) {
    return new Rule(id, scope, allowance, other, consequence, edition);
  }

  private Rule with(Consequence other) {
    return new Rule(id, scope, allowance, keeping, other, edition);
  }

  /** Whether a change from {@code before} to this rule must start a new generation of counts. */
  public boolean startsNewGenerationAfter(Rule before) {
    return !key().equals(before.key()) || !limit().countsAlike(before.limit());
  }

  /** Whether a request meets the conditions on its attributes. */
  private boolean matches(Map<String, String> attributes) {
    for (Map.Entry<String, Matcher> condition : match().entrySet()) {
      if (!condition.getValue().matches(attributes.get(condition.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * The quota key of a request that this rule matches; empty when it does not, or is exempt. Of a
   * rule that hashes, that of the older key; empty where that is not known.
   */
  public Optional<QuotaKey> quotaKey(Request request) {
    return quotaKey(request, HashKeys.NONE);
  }

  /**
   * Like {@link #quotaKey(Request)}.
   *
   * @param keys that values are hashed by
   */
  public Optional<QuotaKey> quotaKey(Request request, HashKeys keys) {
    if (!matches(request.attributes())) {
      return Optional.empty();
    }
    return countedUnder(request, keys) instanceof CountedUnder.Keys counted
        ? counted.all().stream().findFirst()
        : Optional.empty();
  }

  /**
   * The quota keys that a request that meets the conditions counts under.
   *
   * @param keys that values are hashed by
   */
  public CountedUnder countedUnder(Request request, HashKeys keys) {
    if (!key().hashes()) {
      QuotaKey quotaKey = counted(request.attributes());
      return quotaKey == null ? CountedUnder.Keys.NONE : new CountedUnder.Keys(List.of(quotaKey));
    }
    return new HashedParts(this, keys).of(request);
  }

  /**
   * The quota keys for requests with these values of the key attributes, given in the attributes'
   * order.
   *
   * @param keys that values are hashed by
   * @throws IllegalArgumentException when there are more or fewer than attributes
   */
  public CountedUnder countedUnder(List<String> values, HashKeys keys) {
    key().checkCount(values);
    return countedUnder(
        new Request(
            IntStream.range(0, values.size())
                .boxed()
                .collect(Collectors.toMap(key().names()::get, values::get)),
            1),
        keys);
  }

  /**
   * The override that holds for a request, the older key's of two hashes.
   *
   * @param keys that values are hashed by
   */
  public Optional<RuleOverride> overrideOf(Request request, HashKeys keys) {
    return key().hashes()
        ? new HashedParts(this, keys).overrideOf(request)
        : overrideOf(request.attributes());
  }

  /** The override that holds for requests with these attributes. */
  public Optional<RuleOverride> overrideOf(Map<String, String> attributes) {
    List<String> parts = key().parts(attributes);
    return parts == null ? Optional.empty() : Optional.ofNullable(overrides().holding(this, parts));
  }

  /**
   * The quota key of a request that meets the conditions; null when it lacks a key attribute, or is
   * exempt.
   */
  public @Nullable QuotaKey counted(Map<String, String> attributes) {
    List<String> parts = key().parts(attributes);
    if (parts == null) {
      return null;
    }
    QuotaKey quotaKey = keyOf(parts);
    return exempts(quotaKey) ? null : quotaKey;
  }

  /**
   * The quota key of these values of the key attributes, in their order: hashes, where the rule
   * hashes.
   *
   * @throws IllegalArgumentException when there are more or fewer than attributes, or one that is
   *     to be hashed is no hash
   */
  public QuotaKey quotaKeyOf(List<String> values) {
    return keyOf(key().parts(values));
  }

  QuotaKey keyOf(List<String> parts) {
    return overrides().quotaKey(this, parts);
  }

  /** Whether no request of a quota key is counted. */
  public boolean exempts(QuotaKey quotaKey) {
    return overrides().effect(this, quotaKey) instanceof OverrideEffect.Exempt;
  }

  /** Whether every request of a quota key is throttled. */
  public boolean denies(QuotaKey quotaKey) {
    return overrides().effect(this, quotaKey) instanceof OverrideEffect.Denied;
  }

  /**
   * The limit of one quota key of this rule, with its override and the rule's tolerance; the rule's
   * own for one that is exempt or denied, for what of it is still reported.
   */
  public Limit limitOf(QuotaKey quotaKey) {
    return allowance.withTolerance(nominalLimitOf(quotaKey));
  }

  /**
   * The limit of a quota key that data entitles so, with the rule's tolerance. An override comes
   * first; the rule's own holds where it has no such limit or plan.
   */
  public Limit limitOf(QuotaKey quotaKey, Optional<Entitlement> entitlement) {
    if (entitlement.isEmpty() || entitlements().isEmpty()) {
      return limitOf(quotaKey);
    }
    OverrideEffect effect = overrides().effect(this, quotaKey);
    return effect == null
        ? entitled(entitlement.get()).orElseGet(() -> limitOf(quotaKey))
        : allowance.withTolerance(allowance.nominal(effect));
  }

  /**
   * So much of a limit of this rule as is in force by the load of the service; all of it where the
   * rule does not follow that.
   *
   * @param whole with the override and the tolerance
   * @param basisPoints of it, in hundredths of a percent; floor and ceiling hold
   */
  public Limit inForce(Limit whole, int basisPoints) {
    return allowance.inForce(whole, basisPoints);
  }

  /** The limit by data; empty where the rule's own holds, having no such limit or plan. */
  public Optional<Limit> entitled(Entitlement entitlement) {
    return allowance.entitled(entitlement);
  }

  /**
   * The limit that data may give a quota key.
   *
   * @param permits with the tolerance
   * @return empty where it can give none such
   */
  public Optional<Limit> entitledTo(long permits) {
    return entitlements().isEmpty() ? Optional.empty() : allowance.withPermits(permits);
  }

  /** Permits of a limit by data that the tolerance has added. */
  public long toleratedOf(Limit entitled) {
    return allowance.toleratedOf(entitled);
  }

  /** Permits that the tolerance adds to what one quota key may take at once. */
  public long toleratedOf(QuotaKey quotaKey) {
    return toleranceBasisPoints() == 0
        ? 0
        : limitOf(quotaKey).capacity() - nominalLimitOf(quotaKey).capacity();
  }

  private Limit nominalLimitOf(QuotaKey quotaKey) {
    return allowance.nominal(overrides().effect(this, quotaKey));
  }

  /** Every limit that this rule gives a quota key, by plans too, the one without override first. */
  public List<Limit> limits() {
    return allowance.limits();
  }
}
