package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.NamedShare;

/**
 * What shares have left of a limit, those at rest among them: permits that their holders may take,
 * and have not taken as far as they have said. Nobody has used them, although they are no longer in
 * the ledger's own part.
 */
final class UnusedShares {
  private UnusedShares() {}

  /** Permits of the current window, or at this moment. */
  static long of(WorkingLedger ledger) {
    if (ledger.limit instanceof WindowedLimit) {
      return Math.max(0, ledger.leftInShares(ledger.limit.cellWindow(ledger.now)));
    }
    long left = 0;
    for (Holder holder : ledger.holders()) {
      if (holder.generation() == ledger.generation && holder.cells().hasShareInUse()) {
        for (LedgerCell cell : holder.cells()) {
          left += cell.isShareInUse() ? of(cell, ledger.limit.isBucket()) : 0;
        }
      }
    }
    return left;
  }

  /** Nothing of a share whose use is not said: all of it may have been used. */
  private static long of(LedgerCell cell, boolean ofBucket) {
    long used = cell.usage().share().used();
    if (used == NamedShare.NOT_SAID) {
      return 0;
    }
    long has = ofBucket ? cell.share().leastBurst() : cell.share().permits();
    return Math.max(0, has - Math.max(0, used));
  }
}
