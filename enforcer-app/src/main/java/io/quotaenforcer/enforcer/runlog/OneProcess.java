package io.quotaenforcer.enforcer.runlog;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one process would decide that sees every request in its own time: the algorithms alone,
 * without instances, loops and leases. What several instances admit is measured against it.
 */
final class OneProcess {
  private final RuleSet rules;
  private final Map<QuotaKey, LimitState> states = new HashMap<>();
  private final Map<RuleId, Long> admittedBy = new HashMap<>();
  private long nowNanos = Long.MIN_VALUE;
  private long admitted;

  OneProcess(Collection<Rule> rules) {
    this.rules = RuleSet.of(rules);
  }

  /** Decides a request; one from before the last is decided at the last one's time. */
  void decide(Request request, long timeNanos) {
    nowNanos = Math.max(nowNanos, timeNanos);
    List<RuleSet.Match> matches = rules.match(request);
    for (RuleSet.Match match : matches) {
      if (match.rule().mode() == Mode.ENFORCE && !hasRoom(match, request.cost())) {
        return;
      }
    }
    if (!matches.isEmpty()) {
      admitted++;
    }
    for (RuleSet.Match match : matches) {
      if (hasRoom(match, request.cost())) {
        take(match, request.cost());
      }
    }
  }

  /** Requests admitted that a rule matched. */
  long admitted() {
    return admitted;
  }

  /** Requests admitted that this rule matched and had room for. */
  long admittedBy(RuleId rule) {
    return admittedBy.getOrDefault(rule, 0L);
  }

  private boolean hasRoom(RuleSet.Match match, long cost) {
    if (match.rule().denies(match.quotaKey())) {
      return false;
    }
    Limit limit = match.rule().limitOf(match.quotaKey());
    LimitState known = states.get(match.quotaKey());
    LimitState state = known == null ? limit.initial(nowNanos) : limit.advance(known, nowNanos);
    states.put(match.quotaKey(), state);
    return limit.available(state, nowNanos) >= cost;
  }

  private void take(RuleSet.Match match, long cost) {
    Limit limit = match.rule().limitOf(match.quotaKey());
    states.computeIfPresent(match.quotaKey(), (key, state) -> limit.book(state, cost, nowNanos));
    admittedBy.merge(match.rule().id(), 1L, Long::sum);
  }
}
