package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.List;

/** The grants of a holder as an answer tells them. */
final class SentGrants {
  private SentGrants() {}

  /**
   * What it may use, and the ends of what it may not: among these, once the limit was lowered to
   * less than is used and out, of what it has not heard of yet.
   *
   * @param excess slots of its leases that the holder is to give back as they come free
   * @param ttlNanos for how long a lease is told of at most
   */
  static List<CellGrant> of(WorkingLedger ledger, Holder holder, long excess, long ttlNanos) {
    long latest = ledger.now + ttlNanos;
    long commit = ledger.tenure.commit();
    List<CellGrant> grants = new ArrayList<>(2);
    for (LedgerCell cell : holder.cells()) {
      long window = cell.usage().windowStartNanos();
      RateShare share = cell.share().toSend(commit);
      if (!Granting.isUsable(ledger, cell)) {
        if (cell.isGranted() && !cell.usage().closed()) {
          grants.add(end(cell, share));
        }
      } else if (isUnheardOf(ledger, cell) && ledger.isShortOf(window)) {
        grants.add(end(cell, share));
      } else if (!cell.share().isShare()) {
        long until = cell.validUntilNanos();
        long from = Math.min(Math.max(window, 0), until);
        // It gives back what it knows of.
        boolean isKnown = cell.usage().granted() >= cell.granted();
        long keeps = isKnown ? Math.max(0, cell.granted() - excess) : cell.granted();
        grants.add(new CellGrant(cell.id(), window, keeps, from, Math.min(latest, until), share));
      } else if (share.isShare()) {
        long until = cell.share().term().toSend(commit);
        grants.add(new CellGrant(cell.id(), window, 0, 0, until, share));
      }
    }
    return grants;
  }

  /** Ends all that was granted: what is not used comes back. */
  static List<CellGrant> ended(WorkingLedger ledger, Holder holder) {
    long commit = ledger.tenure.commit();
    List<CellGrant> ended = new ArrayList<>(2);
    for (LedgerCell cell : holder.cells()) {
      if (cell.isGranted() && !cell.usage().closed()) {
        ended.add(end(cell, cell.share().toSend(commit)));
      }
    }
    return ended;
  }

  private static CellGrant end(LedgerCell cell, RateShare share) {
    return new CellGrant(cell.id(), cell.usage().windowStartNanos(), cell.granted(), 0, 0, share);
  }

  /** Of slots a holder that knows some keeps all: requests hold them, and it gives back others. */
  private static boolean isUnheardOf(WorkingLedger ledger, LedgerCell cell) {
    if (cell.share().isShare()) {
      return !cell.share().held().isShare();
    }
    long known = cell.usage().granted();
    return known < cell.granted() && (known == 0 || !(ledger.limit instanceof ConcurrencyLimit));
  }
}
