package io.quotaenforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.rules.RuleChange.Added;
import io.quotaenforcer.rules.RuleChange.Changed;
import io.quotaenforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.rules.RuleChange.FieldChange;
import io.quotaenforcer.rules.RuleChange.Kept;
import io.quotaenforcer.rules.RuleChange.Unchanged;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Compares the published rules of a domain with those of a rule file. */
public final class RuleDiff {
  private static final String OVERRIDE = "override ";

  private RuleDiff() {}

  /**
   * The changes made by applying {@code wanted}, one for each rule of either side, ordered by id.
   *
   * @param published the rules of the file's domain
   * @param prune whether published rules that are not in the file are deleted
   * @param firstVersion of a rule that is not published
   */
  public static List<RuleChange> between(
      Collection<Rule> published,
      Collection<Rule> wanted,
      boolean prune,
      ToLongFunction<RuleId> firstVersion) {
    TreeMap<RuleId, RuleChange> changes = new TreeMap<>();
    for (Rule rule : published) {
      changes.put(rule.id(), prune ? new Deleted(rule.id(), Optional.of(rule)) : new Kept(rule));
    }
    Map<RuleId, Rule> before = new TreeMap<>();
    published.forEach(rule -> before.put(rule.id(), rule));
    for (Rule rule : wanted) {
      Rule old = before.get(rule.id());
      changes.put(rule.id(), old == null ? added(rule, firstVersion) : change(old, rule));
    }
    return List.copyOf(changes.values());
  }

  private static RuleChange added(Rule rule, ToLongFunction<RuleId> firstVersion) {
    long version = firstVersion.applyAsLong(rule.id());
    return new Added(rule.withVersion(version, version));
  }

  private static RuleChange change(Rule before, Rule wanted) {
    if (wanted.withVersion(before.version(), before.generation()).equals(before)) {
      return new Unchanged(before);
    }
    long version = before.version() + 1;
    long generation = wanted.startsNewGenerationAfter(before) ? version : before.generation();
    return new Changed(before, wanted.withVersion(version, generation), fields(before, wanted));
  }

  private static List<FieldChange> fields(Rule before, Rule after) {
    Map<String, String> old = texts(before);
    Map<String, String> now = texts(after);
    Set<String> names = new HashSet<>(old.keySet());
    names.addAll(now.keySet());
    List<FieldChange> changes = new ArrayList<>();
    for (String name : names.stream().sorted(RuleDiff::order).toList()) {
      String was = old.getOrDefault(name, "");
      String is = now.getOrDefault(name, "");
      if (!was.equals(is)) {
        changes.add(new FieldChange(name, was, is));
      }
    }
    // Differences only in the order of overrides.
    if (changes.isEmpty()) {
      changes.add(new FieldChange("overrides", "one order", "another order"));
    }
    return changes;
  }

  /** Overrides come last. */
  private static int order(String a, String b) {
    boolean overrideA = a.startsWith(OVERRIDE);
    boolean overrideB = b.startsWith(OVERRIDE);
    return overrideA == overrideB ? a.compareTo(b) : Boolean.compare(overrideA, overrideB);
  }

  private static String text(OverrideEffect effect) {
    if (effect instanceof OverrideEffect.Limited limited) {
      return LimitFields.text(limited.limit());
    }
    return effect instanceof OverrideEffect.Exempt ? "exempt" : "denied";
  }

  private static Map<String, String> texts(Rule rule) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Spelling<Rule> field : RuleFields.SPELLINGS) {
      texts.put(field.name(), field.text().apply(rule));
    }
    texts.remove(RuleFields.OVERRIDES.spelling().name());
    for (RuleOverride override : rule.overrides().all()) {
      texts.putIfAbsent(OVERRIDE + YamlValues.match(override.key()), text(override.effect()));
    }
    return texts;
  }
}
