package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.backtest.RuleRun.Part;
import io.quotaenforcer.core.backtest.RuleRun.Ruling;

/** Counts requests by what became of them. */
final class Tally {
  private long admitted;
  private long throttled;
  private long throttledByOthers;
  private long permits;

  void count(Ruling ruling, Part part, long cost) {
    if (!part.room()) {
      throttled++;
    } else if (ruling.admitted()) {
      admitted++;
      permits += cost;
    } else {
      throttledByOthers++;
    }
  }

  KeyCounts counts() {
    return new KeyCounts(admitted, throttled, throttledByOthers, permits);
  }
}
