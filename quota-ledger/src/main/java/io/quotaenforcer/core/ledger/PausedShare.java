package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.DemandFall;
import io.quotaenforcer.core.algorithm.WindowedLimit;

/**
 * The share of a holder that asks for less since a moment ago: of windows it is left as it is for
 * as long as that may be a pause; then its holder reports again. What is not asked for of this
 * window it gives back by itself, and a window or two would pass until it had as much again.
 */
final class PausedShare {
  /** The part of the share that others have to lack for it to be cut at once. */
  private static final double PART_LACKED = 0.25;

  private static final double NANOS_PER_SECOND = 1e9;

  private PausedShare() {}

  /** Whether the share of the holder at {@code index}, which reports, stays for now. */
  static boolean isKept(WorkingLedger ledger, int index, LedgerSettings settings) {
    Holder mine = ledger.holders().get(index);
    SteadyDemand steady = mine.report().steady();
    return ledger.limit instanceof WindowedLimit
        && steady.isPaused()
        && steady.pausedNanos() <= DemandFall.LONGEST_PAUSE_NANOS
        // Only the first class takes from a share, and no other may wait for it.
        && mine.report().classes().isEmpty()
        && givesBack(ledger, mine)
        && !doOthersLackIt(ledger, mine, settings);
  }

  /** Whether so much comes by it that its holder sees that nobody asks for it. */
  private static boolean givesBack(WorkingLedger ledger, Holder mine) {
    double perSecond =
        mine.share().offered().permits() * NANOS_PER_SECOND / ledger.limit.periodNanos();
    return DemandFall.isMoreThanChance(perSecond, 0, mine.cost().typical());
  }

  /** Whether all that others ask for, or have as shares, leaves less of it than there is now. */
  private static boolean doOthersLackIt(
      WorkingLedger ledger, Holder mine, LedgerSettings settings) {
    long permits = mine.share().offered().permits();
    double lacked = permits - (double) ledger.limit.permits();
    for (Holder holder : ledger.holders()) {
      if (holder != mine && !holder.isReplays() && Needs.isAlive(ledger, holder, settings)) {
        double asked = holder.demandPerSecond() * ledger.limit.periodNanos() / NANOS_PER_SECOND;
        lacked += Math.max(asked, holder.share().offered().permits());
      }
    }
    return lacked > permits * PART_LACKED;
  }
}
