package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.match.AttributeValues;
import io.quotaenforcer.core.match.MatchIndex;
import io.quotaenforcer.core.match.Matcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a quota key, and the nearest override that was found for them. Of those whose
 * expression was given up each may be the nearest: then the one that lets least in holds.
 */
final class NearestOverride implements AttributeValues, MatchIndex.Found<NearestOverride.Ranked> {
  private final Rule rule;
  private final List<String> parts;
  private final @Nullable QuotaKey quotaKey;
  private @Nullable Ranked nearest;

  /** Null while there are none, which is nearly always. */
  private @Nullable List<Ranked> unsure;

  /**
   * An override and its place in the order.
   *
   * @param rank 0 for the most specific of all
   */
  record Ranked(int rank, RuleOverride override) {}

  /**
   * @param quotaKey that the parts stand in; null when they are the values themselves
   */
  NearestOverride(Rule rule, List<String> parts, @Nullable QuotaKey quotaKey) {
    this.rule = rule;
    this.parts = parts;
    this.quotaKey = quotaKey;
  }

  /** The one that holds; null when none is for these parts. */
  @Nullable RuleOverride override() {
    Ranked certain = nearest;
    RuleOverride holding = certain == null ? null : certain.override();
    for (Ranked candidate : unsure == null ? List.<Ranked>of() : unsure) {
      boolean mayBeNearest = certain == null || candidate.rank() < certain.rank();
      if (mayBeNearest && (holding == null || letsInLess(candidate.override(), holding))) {
        holding = candidate.override();
      }
    }
    return holding;
  }

  private static boolean letsInLess(RuleOverride one, RuleOverride other) {
    return other.effect() instanceof OverrideEffect.Limited limited
        ? one.effect().letsInNoMoreThan(limited.limit())
        : other.effect() instanceof OverrideEffect.Exempt;
  }

  @Override
  public @Nullable String get(String attribute) {
    int index = rule.key().indexOf(attribute);
    return index < 0 || index >= parts.size() ? null : parts.get(index);
  }

  @Override
  public int count() {
    return rule.key().size();
  }

  @Override
  public Collection<String> names() {
    return rule.key().names();
  }

  @Override
  public void found(Ranked override) {
    if ((nearest == null || override.rank() < nearest.rank()) && means(override.override())) {
      nearest = override;
    }
  }

  @Override
  public void foundUnsure(Ranked override, String attribute) {
    boolean letsInNoMore = override.override().effect().letsInNoMoreThan(rule.limit());
    if (letsInNoMore && means(override.override())) {
      unsure = unsure == null ? new ArrayList<>() : unsure;
      unsure.add(override);
    }
  }

  /** A hash is meant by the value that it is of, and by nothing else. */
  private boolean means(RuleOverride override) {
    if (quotaKey == null) {
      return true;
    }
    for (Map.Entry<String, Matcher> condition : override.key().entrySet()) {
      boolean ofHash =
          condition.getValue() instanceof Matcher.Exact exact && QuotaKey.isTooLong(exact.value());
      if (quotaKey.isHashed(rule.key().indexOf(condition.getKey())) != ofHash) {
        return false;
      }
    }
    return true;
  }
}
