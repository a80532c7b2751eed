package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.WindowedLimit;

/**
 * The leased permits that a holder is likely to take within a time: its demand beyond what its
 * share brings.
 *
 * @param permits that are to be expected
 * @param margin three standard deviations of a Poisson count of requests, since these do not come
 *     evenly, as far as they do not find room in the share
 * @param ofAll the same with that which its share brings
 * @param hasRoom whether there is room for a request in its share, as far as is known
 * @param isCovered whether the share is likely to bring all
 */
record Expected(double permits, double ofAll, long margin, boolean hasRoom, boolean isCovered) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double DEVIATIONS = 3;

  /**
   * Within the coming loops.
   *
   * @param window the current one or another; 0 for kinds without windows
   * @param leftNanos most time to look ahead
   */
  static Expected of(
      WorkingLedger ledger, Holder holder, long window, double leftNanos, LedgerSettings settings) {
    double loops = (double) settings.loops().ahead() * settings.loopOf(holder);
    double horizon = Math.min(Math.min(loops, settings.allotmentTtlNanos()), leftNanos);
    return within(horizon, ledger, holder, window);
  }

  /** Within a time. */
  static Expected within(double horizon, WorkingLedger ledger, Holder holder, long window) {
    double all = holder.demandPerSecond() * horizon / NANOS_PER_SECOND;
    long cost = holder.cost().typical();
    if (ledger.limit instanceof ConcurrencyLimit) {
      // Slots at a time, for however long.
      double slots = holder.demandPerSecond();
      return new Expected(Math.ceil(slots), slots, margin(slots, 1), false, false);
    }
    boolean ofWindow = ledger.limit instanceof WindowedLimit;
    if (!ofWindow || !holder.cells().hasShareInUse()) {
      double permits = holder.demandToLease(ledger.limit) * horizon / NANOS_PER_SECOND;
      boolean hasRoom = holder.cells().hasShareInUse() && permits <= 0;
      return new Expected(permits, all, margin(permits, cost), hasRoom, false);
    }
    double room = room(ledger, holder, window);
    double permits = Math.max(0, all - room);
    double most = Math.max(0, all + margin(all, cost) - room);
    return new Expected(
        permits, all, (long) (most - permits), room >= holder.cost().mean(), most < 1);
  }

  /** Permits of its share that the holder is likely to have left of a window. */
  private static double room(WorkingLedger ledger, Holder holder, long window) {
    double room = holder.share().held().permits() - WindowShares.doneWith(holder, window);
    if (window == ledger.limit.cellWindow(ledger.now)) {
      double since = (double) ledger.now - Math.max(window, holder.lastReportNanos());
      room -= holder.demandPerSecond() * since / NANOS_PER_SECOND;
    }
    return Math.max(0, room);
  }

  /**
   * The margin for an expected number of permits.
   *
   * @param cost permits of a request, 1 or more
   */
  static long margin(double expected, long cost) {
    return (long) (DEVIATIONS * Math.sqrt(expected * cost));
  }
}
