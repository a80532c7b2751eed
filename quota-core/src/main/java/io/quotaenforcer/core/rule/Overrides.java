package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.match.AttributeValues;
import io.quotaenforcer.core.match.Condition;
import io.quotaenforcer.core.match.MatchIndex;
import io.quotaenforcer.core.match.Matcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The overrides of a rule, found by the parts of a quota key without trying all of them. Of several
 * that apply the most specific holds: the one with the most attributes, then with the most exact
 * values, then with the longest prefix, pattern or block, then the first. Immutable.
 *
 * <p>A part that stands in the quota key as a hash, being {@linkplain QuotaKey#isTooLong too long},
 * is compared by it with the values of overrides. Patterns and blocks need the value, which the
 * enforcer has not: of those only denials are for it, since their quota key {@linkplain
 * QuotaKey#isDenied says so}.
 *
 * <p>Where an expression is {@linkplain io.quotaenforcer.core.match.Answer#GIVEN_UP given up}, the
 * override holds if it lets less in than the rule, so that an awkward value gains nothing.
 */
public final class Overrides {
  private static final Overrides NONE = new Overrides(List.of());

  private final List<RuleOverride> all;

  /** By what stands in quota keys. */
  private final MatchIndex<Ranked> index;

  /** By the values themselves; null where the index above knows all denials. */
  private final @Nullable MatchIndex<Ranked> byValue;

  private Overrides(List<RuleOverride> all) {
    this.all = all;
    this.index = MatchIndex.of(entries(all, Overrides::asInKey));
    this.byValue =
        all.stream().anyMatch(Overrides::deniesPattern)
            ? MatchIndex.of(entries(all, UnaryOperator.identity()))
            : null;
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

  /** What holds for a quota key of the rule; null when none of them is for it. */
  @Nullable OverrideEffect effect(Rule rule, QuotaKey quotaKey) {
    if (all.isEmpty()) {
      return null;
    }
    if (quotaKey.isDenied()) {
      return new OverrideEffect.Denied();
    }
    RuleOverride holding = holding(rule, quotaKey);
    return holding == null ? null : holding.effect();
  }

  /** The one that holds for these parts of a quota key of the rule; null when there is none. */
  @Nullable RuleOverride holding(Rule rule, List<String> parts) {
    RuleOverride denial = denialOfTooLong(rule, parts);
    return denial == null ? holding(rule, QuotaKey.of(rule.id(), parts)) : denial;
  }

  /** Whether one denies these parts of a quota key, and the key does not show it. */
  boolean deniesTooLong(Rule rule, List<String> parts) {
    return denialOfTooLong(rule, parts) != null;
  }

  private @Nullable RuleOverride denialOfTooLong(Rule rule, List<String> parts) {
    if (byValue == null || !anyTooLong(parts)) {
      return null;
    }
    Nearest nearest = new Nearest(rule, parts, null);
    byValue.find(nearest, nearest);
    RuleOverride found = nearest.override();
    return found != null && found.effect() instanceof OverrideEffect.Denied ? found : null;
  }

  private static boolean anyTooLong(List<String> parts) {
    for (int i = 0; i < parts.size(); i++) {
      if (QuotaKey.isTooLong(parts.get(i))) {
        return true;
      }
    }
    return false;
  }

  private @Nullable RuleOverride holding(Rule rule, QuotaKey quotaKey) {
    if (all.isEmpty()) {
      return null;
    }
    Nearest nearest = new Nearest(rule, quotaKey.values(), quotaKey);
    index.find(nearest, nearest);
    return nearest.override();
  }

  private static List<MatchIndex.Entry<Ranked>> entries(
      List<RuleOverride> all, UnaryOperator<Matcher> written) {
    List<RuleOverride> ranked = new ArrayList<>(all);
    ranked.sort(Comparator.comparing(Specificity::of));
    List<MatchIndex.Entry<Ranked>> entries = new ArrayList<>();
    for (int rank = 0; rank < ranked.size(); rank++) {
      RuleOverride override = ranked.get(rank);
      List<Condition> conditions =
          override.key().entrySet().stream()
              .map(entry -> new Condition(entry.getKey(), written.apply(entry.getValue())))
              .toList();
      entries.add(new MatchIndex.Entry<>(new Ranked(rank, override), conditions));
    }
    return entries;
  }

  private static Matcher asInKey(Matcher matcher) {
    return matcher instanceof Matcher.Exact exact && QuotaKey.isTooLong(exact.value())
        ? new Matcher.Exact(QuotaKey.hash(exact.value()))
        : matcher;
  }

  private static boolean deniesPattern(RuleOverride override) {
    return override.effect() instanceof OverrideEffect.Denied
        && override.key().values().stream().anyMatch(it -> !(it instanceof Matcher.Exact));
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
    private final Rule rule;
    private final List<String> parts;
    private final @Nullable QuotaKey quotaKey;
    private @Nullable Ranked best;

    /**
     * @param quotaKey that the parts stand in; null when they are the values themselves
     */
    Nearest(Rule rule, List<String> parts, @Nullable QuotaKey quotaKey) {
      this.rule = rule;
      this.parts = parts;
      this.quotaKey = quotaKey;
    }

    @Nullable RuleOverride override() {
      return best == null ? null : best.override();
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
      if ((best == null || override.rank() < best.rank()) && means(override.override())) {
        best = override;
      }
    }

    @Override
    public void foundUnsure(Ranked override, String attribute) {
      if (override.override().effect().letsInNoMoreThan(rule.limit())) {
        found(override);
      }
    }

    /** A hash is meant by the value that it is of, and by nothing else. */
    private boolean means(RuleOverride override) {
      if (quotaKey == null) {
        return true;
      }
      for (Map.Entry<String, Matcher> condition : override.key().entrySet()) {
        boolean ofHash =
            condition.getValue() instanceof Matcher.Exact exact
                && QuotaKey.isTooLong(exact.value());
        if (quotaKey.isHashed(rule.key().indexOf(condition.getKey())) != ofHash) {
          return false;
        }
      }
      return true;
    }
  }
}
