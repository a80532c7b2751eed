package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.backtest.BacktestResult.QuotaKeyChange;
import io.quotaenforcer.core.backtest.RuleRun.Part;
import io.quotaenforcer.core.backtest.RuleRun.Ruling;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Requests that new rules decide otherwise than old ones, and the rules and keys that do. */
final class ChangesTally {
  private final ChangeTally all = new ChangeTally();
  private final Map<RuleId, ChangeTally> byRule = new HashMap<>();
  private final TopKeys<ChangeTally> byKey;

  ChangesTally(BacktestBounds bounds) {
    byKey = new TopKeys<>(bounds.maxCounted(), ChangeTally::new, ChangeTally.LARGEST_FIRST);
  }

  void count(Ruling before, Ruling now) {
    if (before.admitted() && !now.admitted()) {
      all.throttled();
      for (Part part : now.parts()) {
        if (part.throttles()) {
          of(part).throttled();
          byKey.of(part.quotaKey()).throttled();
        }
      }
    } else if (!before.admitted() && now.admitted()) {
      all.admitted();
      for (Part part : before.parts()) {
        if (part.throttles()) {
          of(part).admitted();
          byKey.of(part.quotaKey()).admitted();
        }
      }
    }
  }

  Change change() {
    return all.change();
  }

  Map<RuleId, Change> perRule() {
    Map<RuleId, Change> changes = new HashMap<>();
    byRule.forEach((rule, tally) -> changes.put(rule, tally.change()));
    return changes;
  }

  List<QuotaKeyChange> topKeys(int most) {
    return byKey.top(most).stream()
        .map(entry -> new QuotaKeyChange(entry.quotaKey(), entry.counted().change()))
        .toList();
  }

  boolean keysExact() {
    return byKey.isExact();
  }

  private ChangeTally of(Part part) {
    return byRule.computeIfAbsent(part.rule().id(), rule -> new ChangeTally());
  }
}
