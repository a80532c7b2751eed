package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Numbers the quota keys of some rules, so that a decision can be stored as primitives. Any thread
 * may add and look up; a number never changes.
 */
public final class KeyTable {
  private final List<Rule> rules;
  private final Map<RuleId, Integer> ruleIndexes = new HashMap<>();
  private final ConcurrentHashMap<QuotaKey, KeyEntry> byKey = new ConcurrentHashMap<>();
  private volatile KeyEntry[] byId = new KeyEntry[64];
  private int size;

  public KeyTable(List<Rule> rules) {
    this.rules = List.copyOf(rules);
    for (int i = 0; i < this.rules.size(); i++) {
      if (ruleIndexes.put(this.rules.get(i).id(), i) != null) {
        throw new IllegalArgumentException(
            "must be unique in a table: rule=" + this.rules.get(i).id());
      }
    }
  }

  public List<Rule> rules() {
    return rules;
  }

  /** The entry of a key, added when it is new. */
  public KeyEntry of(QuotaKey quotaKey) {
    KeyEntry known = byKey.get(quotaKey);
    return known != null ? known : add(quotaKey);
  }

  /** The entry that has this number. */
  public KeyEntry entry(int id) {
    return byId[id];
  }

  private synchronized KeyEntry add(QuotaKey quotaKey) {
    KeyEntry known = byKey.get(quotaKey);
    if (known != null) {
      return known;
    }
    Integer ruleIndex = ruleIndexes.get(quotaKey.rule());
    if (ruleIndex == null) {
      throw new IllegalArgumentException("must be a key of a known rule: quotaKey=" + quotaKey);
    }
    Rule rule = rules.get(ruleIndex);
    KeyEntry entry = new KeyEntry(size, quotaKey, ruleIndex, rule, rule.limitOf(quotaKey));
    KeyEntry[] entries = byId;
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, size * 2);
    }
    entries[size++] = entry;
    byId = entries;
    byKey.put(quotaKey, entry);
    return entry;
  }
}
