package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.WindowedLimit;

/** What is used and asked for of a limit with shares, as far as its holders have told. */
final class SharesInUse {
  private static final double NANOS_PER_SECOND = 1e9;

  private SharesInUse() {}

  /** Permits that a holder's shares count as used now. */
  static long usedIn(WorkingLedger ledger, Holder holder) {
    if (ledger.limit instanceof WindowedLimit limit) {
      return WindowShares.usedIn(holder, limit.cellWindow(ledger.now));
    }
    long used = 0;
    for (LedgerCell cell : holder.cells()) {
      used += cell.isShareInUse() ? UnusedShares.usedIn(ledger, holder, cell) : 0;
    }
    return used;
  }

  /** Permits that count as used now: in this window, or as they slide out or the bucket fills. */
  static long used(WorkingLedger ledger) {
    long used = ledger.account.used();
    for (Holder holder : ledger.holders()) {
      boolean hasShare = holder.generation() == ledger.generation && holder.cells().hasShareInUse();
      used += hasShare ? usedIn(ledger, holder) : 0;
    }
    return used;
  }

  /** Holders that were heard of within a period: each will use a permit at least. */
  static long heardOfLately(WorkingLedger ledger) {
    return ledger.holders().stream()
        .filter(holder -> holder.generation() == ledger.generation)
        .filter(holder -> ledger.now - holder.lastReportNanos() < ledger.limit.periodNanos())
        .count();
  }

  /** Whether all that comes back is asked for steadily. */
  static boolean isAskedForInFull(WorkingLedger ledger, LedgerSettings settings) {
    double perSecond = 0;
    for (Holder holder : ledger.holders()) {
      boolean asks =
          holder.generation() == ledger.generation && Needs.isAlive(ledger, holder, settings);
      perSecond += asks ? holder.report().steadyPerSecond() : 0;
    }
    double comesBack = ledger.limit.permits() * NANOS_PER_SECOND / ledger.limit.periodNanos();
    return perSecond >= comesBack;
  }
}
