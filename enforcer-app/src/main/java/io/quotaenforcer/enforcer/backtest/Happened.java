package io.quotaenforcer.enforcer.backtest;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Counts requests by the outcome that services reported, in all and by the rules they match. */
public final class Happened {
  private final RuleSet rules;
  private final HashKeys hashKeys;
  private final Map<Outcome, Long> all = new EnumMap<>(Outcome.class);
  private final Map<RuleId, Map<Outcome, Long>> byRule = new HashMap<>();

  Happened(Collection<Rule> rules, HashKeys hashKeys) {
    this.rules = RuleSet.of(rules);
    this.hashKeys = hashKeys;
  }

  void add(RequestEvent event) {
    all.merge(event.outcome(), 1L, Long::sum);
    Set<RuleId> matched = new HashSet<>();
    rules
        .match(event.request(), hashKeys, RuleSet.Notes.NONE)
        .forEach(match -> matched.add(match.rule().id()));
    for (RuleId rule : matched) {
      byRule
          .computeIfAbsent(rule, id -> new EnumMap<>(Outcome.class))
          .merge(event.outcome(), 1L, Long::sum);
    }
  }

  /** Requests that ended so. */
  public long all(Outcome outcome) {
    return all.getOrDefault(outcome, 0L);
  }

  /** Requests that a rule matches, and that ended so. */
  public long of(RuleId rule, Outcome outcome) {
    return byRule.getOrDefault(rule, Map.of()).getOrDefault(outcome, 0L);
  }
}
