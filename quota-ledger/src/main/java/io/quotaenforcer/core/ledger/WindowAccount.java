package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.message.CellUsage;
import java.util.ArrayList;
import java.util.List;

/** The account of permits that belong to a window: each is booked in the window of its cell. */
final class WindowAccount extends Account {

  WindowAccount(Limit limit, LimitState state, StateClock clock, long now) {
    super(limit, state, clock, now);
  }

  @Override
  void spendAll(LedgerCell cell) {
    if (cell.isShareInUse()) {
      spend(cell.share().permits(), limit.windowStart(cell.validUntilNanos()));
    } else {
      spend(cell.outstanding(), window(cell));
    }
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

  /**
   * Only shares end: a granted permit counts against its window until it is given back. All of a
   * share counts as used in the window in which it ended.
   */
  @Override
  Holder withoutEndedLeases(Holder holder) {
    if (!holder.cells().hasShareInUse() || holder.cells().firstLeaseEnd() >= now) {
      return holder;
    }
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    cells.replaceAll(
        cell -> cell.isShareInUse() && cell.validUntilNanos() < now ? writeOff(cell) : cell);
    return holder.withCells(cells);
  }

  private LedgerCell writeOff(LedgerCell share) {
    long window = limit.windowStart(share.validUntilNanos());
    long permits = share.share().permits();
    spend(permits, window);
    return share.withBooked(window, permits).withWrittenOff(permits);
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

  /** Past windows take no more part in what is allowed. */
  @Override
  Holder chargeShares(Holder holder) {
    return WindowShares.charge(this, holder, limit.windowStart(now));
  }

  private static long window(LedgerCell cell) {
    return cell.usage().windowStartNanos();
  }
}
