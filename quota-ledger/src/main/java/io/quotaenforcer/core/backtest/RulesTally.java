package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.backtest.BacktestResult.RuleCounts;
import io.quotaenforcer.core.backtest.RuleRun.Part;
import io.quotaenforcer.core.backtest.RuleRun.Ruling;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Rule;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A set of rules, and what it did so far, rule by rule. */
final class RulesTally {
  private final RuleRun run;
  private final Map<RuleId, Rule> rules = new TreeMap<>();
  private final Map<RuleId, Tally> tallies = new TreeMap<>();
  private long admitted;
  private long throttled;
  private long unmatched;

  RulesTally(Collection<Rule> rules, BacktestBounds bounds, HashKeys hashKeys) {
    run = new RuleRun(rules, bounds.maxQuotaKeys(), hashKeys);
    for (Rule rule : rules) {
      this.rules.put(rule.id(), rule);
      tallies.put(rule.id(), new Tally());
    }
  }

  Ruling decide(Request request, long now) {
    Ruling ruling = run.decide(request, now);
    if (ruling.parts().isEmpty()) {
      unmatched++;
    } else if (ruling.admitted()) {
      admitted++;
    } else {
      throttled++;
    }
    for (Part part : ruling.parts()) {
      Objects.requireNonNull(tallies.get(part.rule().id()))
          .count(ruling, part, part.permits(request));
    }
    return ruling;
  }

  Totals totals() {
    return new Totals(admitted, throttled, unmatched);
  }

  List<RuleCounts> perRule() {
    return rules.values().stream()
        .map(
            rule ->
                new RuleCounts(
                    rule,
                    Objects.requireNonNull(tallies.get(rule.id())).counts(),
                    run.rounded(rule),
                    run.penalties(rule)))
        .toList();
  }

  long forgottenKeys() {
    return run.forgotten();
  }
}
