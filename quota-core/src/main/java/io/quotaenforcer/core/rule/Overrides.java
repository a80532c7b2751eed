package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.match.Condition;
import io.quotaenforcer.core.match.MatchIndex;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.NearestOverride.Ranked;
import io.quotaenforcer.core.rule.OverrideEffect.Denied;
import io.quotaenforcer.core.rule.OverrideEffect.Exempt;
import io.quotaenforcer.core.rule.OverrideEffect.Limited;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
 * enforcer has not: of those only the ones that let no more in than the rule are for it, and the
 * quota key says which. All long values of such an override are one quota key.
 *
 * <p>Where an expression is {@linkplain io.quotaenforcer.core.match.Answer#GIVEN_UP given up}, the
 * override holds if it lets less in than the rule, so that an awkward value gains nothing.
 */
public final class Overrides {
  private static final Overrides NONE = new Overrides(List.of());

  private final List<RuleOverride> all;

  /** By what stands in quota keys. */
  private final MatchIndex<Ranked> index;

  /** By the values themselves; null where no pattern limits or denies. */
  private final @Nullable MatchIndex<Ranked> byValue;

  /** Limits by pattern, by what stands in a quota key for values that they are for. */
  private final Map<String, RuleOverride> byMark;

  private Overrides(List<RuleOverride> all) {
    this.all = all;
    this.index = MatchIndex.of(entries(all, Overrides::asInKey));
    List<RuleOverride> patterns =
        all.stream()
            .filter(it -> OverrideMark.isByPattern(it) && !(it.effect() instanceof Exempt))
            .toList();
    this.byValue =
        patterns.isEmpty() ? null : MatchIndex.of(entries(all, UnaryOperator.identity()));
    Map<String, RuleOverride> marks = new HashMap<>();
    patterns.stream()
        .filter(it -> it.effect() instanceof Limited)
        .forEach(it -> marks.putIfAbsent(OverrideMark.of(it), it));
    this.byMark = Map.copyOf(marks);
  }

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

  /** The effect of the override for a quota key of the rule; null if none applies. */
  @Nullable OverrideEffect effect(Rule rule, QuotaKey quotaKey) {
    if (all.isEmpty()) {
      return null;
    }
    if (quotaKey.isDenied()) {
      return new Denied();
    }
    RuleOverride marked = marked(quotaKey);
    RuleOverride holding = marked == null ? holding(rule, quotaKey) : marked;
    return holding == null ? null : holding.effect();
  }

  /** The one that holds for these parts of a quota key of the rule; null when there is none. */
  @Nullable RuleOverride holding(Rule rule, List<String> parts) {
    RuleOverride binding = bindingOfTooLong(rule, parts);
    return binding == null ? holding(rule, QuotaKey.of(rule.id(), parts)) : binding;
  }

  /** The quota key of these parts, which says what binds those that it does not show. */
  QuotaKey quotaKey(Rule rule, List<String> parts) {
    RuleOverride binding = bindingOfTooLong(rule, parts);
    if (binding == null) {
      return QuotaKey.of(rule.id(), parts);
    }
    return binding.effect() instanceof Denied
        ? QuotaKey.ofDenied(rule.id(), parts)
        : QuotaKey.ofMarked(
            rule.id(),
            parts,
            OverrideMark.of(binding),
            index -> OverrideMark.isByPattern(binding, rule.key().names().get(index)));
  }

  /**
   * The one that holds by a pattern for a value that is too long, if it lets no more in than the
   * rule.
   */
  private @Nullable RuleOverride bindingOfTooLong(Rule rule, List<String> parts) {
    if (byValue == null || !anyTooLong(parts)) {
      return null;
    }
    NearestOverride nearest = new NearestOverride(rule, parts, null);
    byValue.find(nearest, nearest);
    RuleOverride found = nearest.override();
    boolean binds =
        found != null
            && isOfTooLong(found, rule, parts)
            && found.effect().letsInNoMoreThan(rule.limit());
    return binds ? found : null;
  }

  private @Nullable RuleOverride marked(QuotaKey quotaKey) {
    List<String> values = quotaKey.values();
    for (int i = 0; i < values.size() && !byMark.isEmpty(); i++) {
      RuleOverride marked = quotaKey.isHashed(i) ? byMark.get(values.get(i)) : null;
      if (marked != null) {
        return marked;
      }
    }
    return null;
  }

  private static boolean isOfTooLong(RuleOverride override, Rule rule, List<String> parts) {
    for (int i = 0; i < parts.size(); i++) {
      if (QuotaKey.isTooLong(parts.get(i))
          && OverrideMark.isByPattern(override, rule.key().names().get(i))) {
        return true;
      }
    }
    return false;
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
    NearestOverride nearest = new NearestOverride(rule, quotaKey.values(), quotaKey);
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
}
