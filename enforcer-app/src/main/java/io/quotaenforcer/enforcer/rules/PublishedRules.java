package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rules published up to one moment.
 *
 * @param rules ordered by id
 * @param atMillis when each was published, epoch milliseconds
 * @param unreadable reasons why published records cannot be read, by key
 * @param announced keys of the announced schemas
 * @param endOffset the moment: later publications have this offset or a greater one
 */
public record PublishedRules(
    SortedMap<RuleId, Rule> rules,
    Map<RuleId, Long> atMillis,
    SortedMap<String, String> unreadable,
    Set<String> announced,
    long endOffset) {

  public PublishedRules {
    rules = Collections.unmodifiableSortedMap(new TreeMap<>(rules));
    atMillis = Map.copyOf(atMillis);
    announced = Set.copyOf(announced);
    unreadable = Collections.unmodifiableSortedMap(new TreeMap<>(unreadable));
  }

  public Optional<Rule> rule(RuleId id) {
    return Optional.ofNullable(rules.get(id));
  }

  /**
   * A version above any that a rule ever had, for a rule whose versions cannot be read: each
   * version is a record, and so at most one more than its offset. Schemas stay, and each took an
   * offset as well.
   */
  long versionAboveAll() {
    return endOffset + 1 - announced.size();
  }

  /** The rules of one domain, ordered by id. */
  public List<Rule> ofDomain(String domain) {
    return rules.values().stream().filter(rule -> rule.id().domain().equals(domain)).toList();
  }

  /** Reasons why records of one domain cannot be read, by key. */
  public Map<String, String> unreadableIn(String domain) {
    Map<String, String> inDomain = new TreeMap<>(unreadable);
    inDomain.keySet().removeIf(key -> !key.startsWith(domain + "/"));
    return inDomain;
  }

  /** The obstacle to changing a rule whose record cannot be read. */
  static RulesException unreadable(RuleId id, String reason) {
    return new RulesException(
        "%s is published as a record that cannot be read (%s); delete it first: quota rules delete %s"
            .formatted(id, reason, id));
  }
}
