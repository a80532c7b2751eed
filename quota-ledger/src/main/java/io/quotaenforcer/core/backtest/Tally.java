package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.backtest.RuleRun.Part;
import io.quotaenforcer.core.backtest.RuleRun.Ruling;
import java.util.Comparator;

/** Counts requests by outcome. */
final class Tally {
  /** By throttled requests, then by requests, most first. */
  static final Comparator<Tally> MOST_THROTTLED_FIRST =
      Comparator.<Tally>comparingLong(it -> it.throttled)
          .thenComparingLong(it -> it.admitted + it.throttledByOthers)
          .reversed();

  private long admitted;
  private long throttled;
  private long throttledByOthers;
  private long permits;

  void count(Ruling ruling, Part part, long ifAdmitted) {
    if (!part.room()) {
      throttled++;
    } else if (ruling.admitted()) {
      admitted++;
      permits += ifAdmitted;
    } else {
      throttledByOthers++;
    }
  }

  KeyCounts counts() {
    return new KeyCounts(admitted, throttled, throttledByOthers, permits);
  }
}
