package io.quotaenforcer.core.backtest;

import java.util.Comparator;

/** Counts requests that another set of rules decides differently. */
final class ChangeTally {
  static final Comparator<ChangeTally> LARGEST_FIRST =
      Comparator.<ChangeTally>comparingLong(it -> it.newlyThrottled + it.newlyAdmitted).reversed();

  private long newlyThrottled;
  private long newlyAdmitted;

  void throttled() {
    newlyThrottled++;
  }

  void admitted() {
    newlyAdmitted++;
  }

  Change change() {
    return new Change(newlyThrottled, newlyAdmitted);
  }
}
