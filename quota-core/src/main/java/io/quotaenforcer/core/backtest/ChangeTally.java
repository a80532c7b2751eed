package io.quotaenforcer.core.backtest;

/** Counts requests that another set of rules decides differently. */
final class ChangeTally {
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
