package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.message.CellUsage;

/** The account of permits that belong to a window: each is booked in the window of its cell. */
final class WindowAccount extends Account {

  WindowAccount(Limit limit, LimitState state, StateClock clock, long now) {
    super(limit, state, clock, now);
  }

  @Override
  void spendAll(LedgerCell cell) {
    spend(cell.outstanding(), window(cell));
  }

  @Override
  LedgerCell charge(LedgerCell cell, NewUse use) {
    spend(use.permits(), window(cell));
    return cell;
  }

  @Override
  LedgerCell free(LedgerCell cell, long permits) {
    unspend(permits, window(cell));
    return cell;
  }

  @Override
  boolean isPast(LedgerCell cell) {
    return window(cell) < limit.windowStart(now);
  }

  @Override
  long leftFor(LedgerCell cell) {
    return unused(window(cell));
  }

  @Override
  void chargeOnce(CellUsage told, long window, long latest, long oldest) {
    if (told.used() < 0) {
      unspend(-told.used(), window);
    } else {
      spend(told.used(), window);
    }
  }

  /** Unchanged: a granted permit counts against its window until it is given back. */
  @Override
  Holder withoutEndedLeases(Holder holder) {
    return holder;
  }

  @Override
  long countedIn(long cellWindow) {
    return limit.windowStart(cellWindow > 0 ? cellWindow : now);
  }

  @Override
  long unusedSoon(long window, long aheadNanos) {
    return unused(Math.max(now, window));
  }

  @Override
  long renewsAt() {
    return clock.toEnforcer(limit.resetAt(state(), stateTime(now)));
  }

  @Override
  long usedIn(LedgerCell cell, long start) {
    return window(cell) == start ? cell.usage().used() : 0;
  }

  private static long window(LedgerCell cell) {
    return cell.usage().windowStartNanos();
  }
}
