package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellCounts;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.EarlierUse;
import io.quotaenforcer.core.message.NamedShare;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what a replay queue already got from the current window in cells that are settled: one
 * closed cell holds the counts of all of them. Otherwise a queue that empties now and then, giving
 * its cells back, would get its share of a long window again each time.
 */
final class ReplayMemory {
  private final WorkingLedger ledger;
  private final boolean remembers;
  private @Nullable LedgerCell all;

  ReplayMemory(WorkingLedger ledger, Holder holder) {
    this.ledger = ledger;
    this.remembers = holder.isReplays() && holder.generation() == ledger.generation;
  }

  /** How long a holder is remembered that has nothing open. */
  static long retention(Holder holder, Limit limit, long usual) {
    return holder.isReplays() && !holder.cells().isEmpty()
        ? Math.max(usual, limit.periodNanos())
        : usual;
  }

  /** Takes note of a granted cell that is closed and booked; of higher ids after lower ones. */
  void settled(LedgerCell cell) {
    if (remembers && ledger.account.usedIn(cell, ReplayQueue.start(ledger)) > 0) {
      LedgerCell before = all;
      all = before == null ? cell : sum(before, cell);
    }
  }

  /** Puts it before the cells that are left of the holder. */
  void addTo(List<LedgerCell> rest) {
    LedgerCell known = all;
    if (known != null) {
      rest.add(0, known);
    }
  }

  private static LedgerCell sum(LedgerCell before, LedgerCell cell) {
    CellUsage a = before.usage();
    CellUsage b = cell.usage();
    CellUsage usage =
        new CellUsage(
            b.id(),
            b.windowStartNanos(),
            new CellCounts(
                a.granted() + b.granted(),
                a.taken() + b.taken(),
                a.putBack() + b.putBack(),
                a.givenBack() + b.givenBack(),
                a.throttled() + b.throttled()),
            true,
            EarlierUse.NONE,
            NamedShare.NONE);
    return cell.withUsage(usage)
        .withGranted(before.granted())
        .withBooked(cell.bookedWindow(), before.bookedThere() + cell.bookedThere());
  }
}
