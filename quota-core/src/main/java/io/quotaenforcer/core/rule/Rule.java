package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A quota: the requests that it matches, what it counts them by, the limit, and what happens over
 * it. Immutable.
 *
 * @param match conditions on attributes, all of which must hold; empty matches every request
 * @param key attributes whose values make the quota key; a request without one of them is not
 *     matched
 * @param toleranceBasisPoints how far above the limit permits are still given, in hundredths of a
 *     percent
 * @param overrides other limits for some keys; the one with the most attributes wins, then the
 *     first
 * @param version counts the changes of this rule, from 1; 0 before it is published
 * @param generation the version in which key, algorithm or period last changed: counts of an older
 *     generation do not carry over
 */
public record Rule(
    RuleId id,
    Map<String, Matcher> match,
    List<String> key,
    Limit limit,
    int toleranceBasisPoints,
    Enforcement enforcement,
    OverLimit overLimit,
    OnUnavailable onUnavailable,
    Mode mode,
    List<RuleOverride> overrides,
    long version,
    long generation) {
  public static final int MAX_TOLERANCE_BASIS_POINTS = 10_000;

  public Rule {
    match = Map.copyOf(match);
    key = List.copyOf(key);
    overrides = List.copyOf(overrides);
    if (toleranceBasisPoints < 0 || toleranceBasisPoints > MAX_TOLERANCE_BASIS_POINTS) {
      throw new IllegalArgumentException(
          "must be between 0 and "
              + MAX_TOLERANCE_BASIS_POINTS
              + ": toleranceBasisPoints="
              + toleranceBasisPoints);
    }
    if (Set.copyOf(key).size() < key.size()) {
      throw new IllegalArgumentException("must be different attributes: key=" + key);
    }
    // Fails here rather than in a decision.
    withTolerance(limit, toleranceBasisPoints);
    for (RuleOverride override : overrides) {
      checkOverride(override, key, limit, toleranceBasisPoints);
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
        key,
        limit,
        0,
        Enforcement.BALANCED,
        OverLimit.THROTTLE,
        OnUnavailable.LOCAL,
        Mode.ENFORCE,
        List.of(),
        0,
        0);
  }

  public Rule withMatch(Map<String, Matcher> newMatch) {
    return new Rule(
        id,
        newMatch,
        key,
        limit,
        toleranceBasisPoints,
        enforcement,
        overLimit,
        onUnavailable,
        mode,
        overrides,
        version,
        generation);
  }

  /** Strict rules never decide from anything but grants, so they deny when the enforcer is away. */
  public Rule withEnforcement(Enforcement newEnforcement) {
    OnUnavailable away = newEnforcement == Enforcement.STRICT ? OnUnavailable.DENY : onUnavailable;
    return new Rule(
        id,
        match,
        key,
        limit,
        toleranceBasisPoints,
        newEnforcement,
        overLimit,
        away,
        mode,
        overrides,
        version,
        generation);
  }

  public Rule withOverLimit(OverLimit newOverLimit) {
    return new Rule(
        id,
        match,
        key,
        limit,
        toleranceBasisPoints,
        enforcement,
        newOverLimit,
        onUnavailable,
        mode,
        overrides,
        version,
        generation);
  }

  public Rule withLimit(Limit newLimit) {
    return new Rule(
        id,
        match,
        key,
        newLimit,
        toleranceBasisPoints,
        enforcement,
        overLimit,
        onUnavailable,
        mode,
        overrides,
        version,
        generation);
  }

  /**
   * @param basisPoints how far above the limit permits are still given, in hundredths of a percent
   */
  public Rule withTolerance(int basisPoints) {
    return new Rule(
        id,
        match,
        key,
        limit,
        basisPoints,
        enforcement,
        overLimit,
        onUnavailable,
        mode,
        overrides,
        version,
        generation);
  }

  public Rule withMode(Mode newMode) {
    return new Rule(
        id,
        match,
        key,
        limit,
        toleranceBasisPoints,
        enforcement,
        overLimit,
        onUnavailable,
        newMode,
        overrides,
        version,
        generation);
  }

  public Rule withVersion(long newVersion, long newGeneration) {
    return new Rule(
        id,
        match,
        key,
        limit,
        toleranceBasisPoints,
        enforcement,
        overLimit,
        onUnavailable,
        mode,
        overrides,
        newVersion,
        newGeneration);
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
    List<String> values = new ArrayList<>(key.size());
    for (String attribute : key) {
      String value = attributes.get(attribute);
      if (value == null) {
        return Optional.empty();
      }
      values.add(value);
    }
    RuleOverride override = overrideFor(attributes);
    if (override != null && override.limit().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(QuotaKey.of(id, values));
  }

  /** The override that holds for requests with these attributes. */
  public Optional<RuleOverride> overrideOf(Map<String, String> attributes) {
    return Optional.ofNullable(overrideFor(attributes));
  }

  /** The limit of one quota key of this rule, with its override and the rule's tolerance. */
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
    Limit nominal = limit;
    if (!overrides.isEmpty()) {
      RuleOverride override = overrideFor(keyAttributes(quotaKey));
      if (override != null && override.limit().isPresent()) {
        nominal = override.limit().get();
      }
    }
    return nominal;
  }

  /** Every limit that a quota key of this rule may have, the one without override first. */
  public List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    limits.add(withTolerance(limit, toleranceBasisPoints));
    for (RuleOverride override : overrides) {
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

  private Map<String, String> keyAttributes(QuotaKey quotaKey) {
    Map<String, String> attributes = new HashMap<>();
    for (int i = 0; i < Math.min(key.size(), quotaKey.values().size()); i++) {
      attributes.put(key.get(i), quotaKey.values().get(i));
    }
    return attributes;
  }

  private @Nullable RuleOverride overrideFor(Map<String, String> attributes) {
    RuleOverride best = null;
    for (RuleOverride override : overrides) {
      if (override.appliesTo(attributes)
          && (best == null || override.key().size() > best.key().size())) {
        best = override;
      }
    }
    return best;
  }
}
