package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.match.AttributeValues;
import io.quotaenforcer.core.match.Condition;
import io.quotaenforcer.core.match.MatchIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The overrides of a rule, found by the parts of a quota key without trying all of them. Of several
 * that apply the most specific holds: the one with the most attributes, then with the most exact
 * values, then with the longest prefix, pattern or block, then the first. Immutable.
 *
 * <p>A part that stands in the quota key as a hash, being longer than {@link
 * QuotaKey#MAX_VALUE_CHARS}, meets no condition: enforcer and client must find the same override,
 * and only the client has its value.
 */
public final class Overrides {
  private static final Overrides NONE = new Overrides(List.of());

  private final List<RuleOverride> all;
  private final MatchIndex<Ranked> index;

  private Overrides(List<RuleOverride> all) {
    this.all = all;
    this.index = MatchIndex.of(entries(all));
  }

  /**
   * One of them.
   *
   * @param rank 0 for the most specific of all
   */
  private record Ranked(int rank, RuleOverride override) {}

  /** In the order in which a rule gives them. */
  public static Overrides of(List<RuleOverride> overrides) {
    return overrides.isEmpty() ? NONE : new Overrides(List.copyOf(overrides));
  }

  /** All of them, in the order in which the rule gives them. */
  public List<RuleOverride> all() {
    return all;
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** What holds for a quota key; null when none of them is for it. */
  @Nullable OverrideEffect effect(RuleKey key, QuotaKey quotaKey) {
    RuleOverride holding = holding(key, quotaKey);
    return holding == null ? null : holding.effect();
  }

  /** The one that holds for a quota key; null when none of them is for it. */
  @Nullable RuleOverride holding(RuleKey key, QuotaKey quotaKey) {
    if (all.isEmpty()) {
      return null;
    }
    Nearest nearest = new Nearest(key, quotaKey);
    index.find(nearest, nearest);
    return nearest.best == null ? null : nearest.best.override();
  }

  private static List<MatchIndex.Entry<Ranked>> entries(List<RuleOverride> all) {
    List<RuleOverride> ranked = new ArrayList<>(all);
    ranked.sort(Comparator.comparing(Specificity::of));
    List<MatchIndex.Entry<Ranked>> entries = new ArrayList<>();
    for (int rank = 0; rank < ranked.size(); rank++) {
      RuleOverride override = ranked.get(rank);
      List<Condition> conditions =
          override.key().entrySet().stream()
              .map(entry -> new Condition(entry.getKey(), entry.getValue()))
              .toList();
      entries.add(new MatchIndex.Entry<>(new Ranked(rank, override), conditions));
    }
    return entries;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Overrides that && all.equals(that.all);
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }

  @Override
  public String toString() {
    return all.toString();
  }

  /** The parts of a quota key, and the nearest override that was found for them. */
  private static final class Nearest implements AttributeValues, MatchIndex.Found<Ranked> {
    private final RuleKey key;
    private final QuotaKey quotaKey;
    private @Nullable Ranked best;

    Nearest(RuleKey key, QuotaKey quotaKey) {
      this.key = key;
      this.quotaKey = quotaKey;
    }

    @Override
    public @Nullable String get(String attribute) {
      int index = key.indexOf(attribute);
      return index < 0 || index >= quotaKey.values().size() || quotaKey.isHashed(index)
          ? null
          : quotaKey.values().get(index);
    }

    @Override
    public int count() {
      return key.size();
    }

    @Override
    public Collection<String> names() {
      return key.names();
    }

    @Override
    public void found(Ranked override) {
      if (best == null || override.rank() < best.rank()) {
        best = override;
      }
    }
  }
}
