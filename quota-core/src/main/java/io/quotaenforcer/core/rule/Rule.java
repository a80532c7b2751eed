package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A quota: the requests that it matches, what it counts them by, the limit, and what happens over
 * it. Immutable.
 *
 * @param match conditions on attributes, all of which must hold; empty matches every request
 * @param key what makes the quota key; a request without one of its attributes is not matched
 * @param toleranceBasisPoints how far above the limit permits are still given, in hundredths of a
 *     percent
 * @param opening what an instance may admit by its own count; of a balanced rule only
 * @param overrides what holds instead of the limit for some quota keys
 * @param version counts the changes of this rule, from 1; 0 before it is published
 * @param generation the version in which key, algorithm or period last changed: counts of an older
 *     generation do not carry over
 */
public record Rule(
    RuleId id,
    Map<String, Matcher> match,
    RuleKey key,
    Limit limit,
    int toleranceBasisPoints,
    Enforcement enforcement,
    OverLimit overLimit,
    OnUnavailable onUnavailable,
    Mode mode,
    Opening opening,
    Overrides overrides,
    long version,
    long generation) {
  public static final int MAX_TOLERANCE_BASIS_POINTS = 10_000;

  public Rule {
    match = Map.copyOf(match);
    if (toleranceBasisPoints < 0 || toleranceBasisPoints > MAX_TOLERANCE_BASIS_POINTS) {
      throw new IllegalArgumentException(
          "must be between 0 and "
              + MAX_TOLERANCE_BASIS_POINTS
              + ": toleranceBasisPoints="
              + toleranceBasisPoints);
    }
    // Fails here rather than in a decision.
    withTolerance(limit, toleranceBasisPoints);
    for (RuleOverride override : overrides.all()) {
      checkOverride(override, key.names(), limit, toleranceBasisPoints);
    }
  }

  private static void checkOverride(
      RuleOverride override, List<String> key, Limit limit, int toleranceBasisPoints) {
    if (!key.containsAll(override.key().keySet())) {
      throw new IllegalArgumentException(
          "must be attributes of the rule's key " + key + ": override.key=" + override.key());
    }
    override
        .limit()
        .ifPresent(
            other -> {
              if (!other.countsAlike(limit)) {
                throw new IllegalArgumentException(
                    "must have the algorithm and period of the rule's limit: override.limit="
                        + other);
              }
              withTolerance(other, toleranceBasisPoints);
            });
  }

  /** A rule with every default of the rule language: balanced, enforced, throttling, local. */
  public static Rule of(RuleId id, List<String> key, Limit limit) {
    return new Rule(
        id,
        Map.of(),
        RuleKey.of(key),
        limit,
        0,
        Enforcement.BALANCED,
        OverLimit.THROTTLE,
        OnUnavailable.LOCAL,
        Mode.ENFORCE,
        Opening.WHOLE,
        Overrides.of(List.of()),
        0,
        0);
  }

  public Rule withMatch(Map<String, Matcher> newMatch) {
    return with(parts -> parts.match = newMatch);
  }

  /** Strict rules never decide from anything but grants, so they deny when the enforcer is away. */
  public Rule withEnforcement(Enforcement newEnforcement) {
    return with(
        parts -> {
          parts.enforcement = newEnforcement;
          parts.onUnavailable =
              newEnforcement == Enforcement.STRICT ? OnUnavailable.DENY : onUnavailable;
        });
  }

  public Rule withOverrides(List<RuleOverride> newOverrides) {
    return with(parts -> parts.overrides = Overrides.of(newOverrides));
  }

  public Rule withKey(RuleKey newKey) {
    return with(parts -> parts.key = newKey);
  }

  public Rule withOverLimit(OverLimit newOverLimit) {
    return with(parts -> parts.overLimit = newOverLimit);
  }

  public Rule withLimit(Limit newLimit) {
    return with(parts -> parts.limit = newLimit);
  }

  /**
   * @param basisPoints how far above the limit permits are still given, in hundredths of a percent
   */
  public Rule withTolerance(int basisPoints) {
    return with(parts -> parts.toleranceBasisPoints = basisPoints);
  }

  public Rule withMode(Mode newMode) {
    return with(parts -> parts.mode = newMode);
  }

  public Rule withOpening(Opening newOpening) {
    return with(parts -> parts.opening = newOpening);
  }

  public Rule withVersion(long newVersion, long newGeneration) {
    return with(
        parts -> {
          parts.version = newVersion;
          parts.generation = newGeneration;
        });
  }

  private Rule with(Consumer<RuleParts> change) {
    RuleParts parts = new RuleParts(this);
    change.accept(parts);
    return parts.toRule();
  }

  /** Whether a change from {@code before} to this rule must start a new generation of counts. */
  public boolean startsNewGenerationAfter(Rule before) {
    return !key.equals(before.key) || !limit.countsAlike(before.limit);
  }

  /** The quota key of a request that this rule matches; empty when it does not, or is exempt. */
  public Optional<QuotaKey> quotaKey(Request request) {
    Map<String, String> attributes = request.attributes();
    for (Map.Entry<String, Matcher> condition : match.entrySet()) {
      if (!condition.getValue().matches(attributes.get(condition.getKey()))) {
        return Optional.empty();
      }
    }
    return Optional.ofNullable(counted(attributes));
  }

  /** The override that holds for requests with these attributes. */
  public Optional<RuleOverride> overrideOf(Map<String, String> attributes) {
    List<String> parts = key.parts(attributes);
    return parts == null ? Optional.empty() : Optional.ofNullable(overrides.holding(this, parts));
  }

  /**
   * The quota key of a request that meets the conditions; null when it lacks a key attribute, or is
   * exempt.
   */
  public @Nullable QuotaKey counted(Map<String, String> attributes) {
    List<String> parts = key.parts(attributes);
    if (parts == null) {
      return null;
    }
    QuotaKey quotaKey = keyOf(parts);
    return exempts(quotaKey) ? null : quotaKey;
  }

  /**
   * The quota key of these values of the key attributes, in their order.
   *
   * @throws IllegalArgumentException when there are more or fewer than attributes
   */
  public QuotaKey quotaKeyOf(List<String> values) {
    return keyOf(key.parts(values));
  }

  private QuotaKey keyOf(List<String> parts) {
    return overrides.quotaKey(this, parts);
  }

  /** Whether no request of a quota key is counted. */
  public boolean exempts(QuotaKey quotaKey) {
    return overrides.effect(this, quotaKey) instanceof OverrideEffect.Exempt;
  }

  /** Whether every request of a quota key is throttled. */
  public boolean denies(QuotaKey quotaKey) {
    return overrides.effect(this, quotaKey) instanceof OverrideEffect.Denied;
  }

  /**
   * The limit of one quota key of this rule, with its override and the rule's tolerance; the rule's
   * own for one that is exempt or denied, for what of it is still reported.
   */
  public Limit limitOf(QuotaKey quotaKey) {
    return withTolerance(nominalLimitOf(quotaKey), toleranceBasisPoints);
  }

  /** Permits that the tolerance adds to what one quota key may take at once. */
  public long toleratedOf(QuotaKey quotaKey) {
    return toleranceBasisPoints == 0
        ? 0
        : limitOf(quotaKey).capacity() - nominalLimitOf(quotaKey).capacity();
  }

  private Limit nominalLimitOf(QuotaKey quotaKey) {
    return overrides.effect(this, quotaKey) instanceof OverrideEffect.Limited other
        ? other.limit()
        : limit;
  }

  /** Every limit that a quota key of this rule may have, the one without override first. */
  public List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    limits.add(withTolerance(limit, toleranceBasisPoints));
    for (RuleOverride override : overrides.all()) {
      override.limit().ifPresent(other -> limits.add(withTolerance(other, toleranceBasisPoints)));
    }
    return limits;
  }

  private static Limit withTolerance(Limit nominal, int toleranceBasisPoints) {
    return toleranceBasisPoints == 0
        ? nominal
        : nominal.withPermits(
            nominal.permits() + nominal.permits() * toleranceBasisPoints / 10_000);
  }
}
