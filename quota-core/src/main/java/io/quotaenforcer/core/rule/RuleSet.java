package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All rules that are in force, ready to be matched. Immutable: a change makes a new set. */
public final class RuleSet {
  private static final RuleSet EMPTY = new RuleSet(new TreeMap<>());

  private final TreeMap<RuleId, Rule> rules;

  private RuleSet(TreeMap<RuleId, Rule> rules) {
    this.rules = rules;
  }

  public static RuleSet empty() {
    return EMPTY;
  }

  public static RuleSet of(Collection<Rule> rules) {
    TreeMap<RuleId, Rule> byId = new TreeMap<>();
    for (Rule rule : rules) {
      byId.put(rule.id(), rule);
    }
    return new RuleSet(byId);
  }

  public RuleSet with(Rule rule) {
    TreeMap<RuleId, Rule> changed = new TreeMap<>(rules);
    changed.put(rule.id(), rule);
    return new RuleSet(changed);
  }

  public RuleSet without(RuleId id) {
    TreeMap<RuleId, Rule> changed = new TreeMap<>(rules);
    changed.remove(id);
    return new RuleSet(changed);
  }

  /** The same rules, all enforced alike: a queue's owner spends nothing but what it was granted. */
  public RuleSet withEnforcement(Enforcement enforcement) {
    return of(rules.values().stream().map(rule -> rule.withEnforcement(enforcement)).toList());
  }

  public Optional<Rule> rule(RuleId id) {
    return Optional.ofNullable(rules.get(id));
  }

  /** Every rule, ordered by domain and id. */
  public Collection<Rule> rules() {
    return List.copyOf(rules.values());
  }

  /** The rules that match a request, each with the quota key that it counts, in order of rule. */
  public List<Match> match(Request request) {
    List<Match> matches = new ArrayList<>(4);
    for (Map.Entry<RuleId, Rule> entry : rules.entrySet()) {
      Rule rule = entry.getValue();
      rule.quotaKey(request).ifPresent(key -> matches.add(new Match(rule, key)));
    }
    return matches;
  }

  /** A rule that matches a request, and the quota key that it counts the request under. */
  public record Match(Rule rule, QuotaKey quotaKey) {}
}
