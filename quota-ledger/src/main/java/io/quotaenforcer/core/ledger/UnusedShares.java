package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.RenewalTerms;
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
      left += holder.generation() == ledger.generation ? of(ledger, holder) : 0;
    }
    return left;
  }

  /** Those of one holder. */
  static long of(WorkingLedger ledger, Holder holder) {
    if (!holder.cells().hasShareInUse()) {
      return 0;
    }
    boolean isOfWindow = ledger.limit instanceof WindowedLimit;
    long left = 0;
    for (LedgerCell cell : holder.cells()) {
      if (cell.isShareInUse()) {
        LedgerShare share = cell.share();
        left +=
            isOfWindow
                ? Math.min(share.held().permits(), share.offered().permits())
                : of(ledger, holder, cell);
      }
    }
    long window = ledger.limit.cellWindow(ledger.now);
    return Math.max(0, left - (isOfWindow ? WindowShares.doneWith(holder, window) : 0));
  }

  /** Nothing of a share whose use is not said: all of it may have been used. */
  private static long of(WorkingLedger ledger, Holder holder, LedgerCell cell) {
    if (cell.usage().share().used() == NamedShare.NOT_SAID) {
      return 0;
    }
    LedgerShare share = cell.share();
    long has = ledger.limit.isBucket() ? share.leastBurst() : share.permits();
    return Math.max(0, has - usedIn(ledger, holder, cell));
  }

  /** Permits that count as used now in a share in use, as far as its holder has said. */
  static long usedIn(WorkingLedger ledger, Holder holder, LedgerCell cell) {
    long said = Math.max(0, cell.usage().share().used());
    LedgerShare share = cell.share();
    long elapsed = Math.max(0, ledger.now - holder.lastReportNanos());
    RenewalTerms how = ledger.limit.renewal();
    if (how instanceof RenewalTerms.Slots slots) {
      boolean hasSlidOut = elapsed > slots.slotNanos() * (slots.counted() + 1L);
      return hasSlidOut ? 0 : said;
    }
    double periods = (double) elapsed / ledger.limit.periodNanos();
    boolean comesAtOnce = how instanceof RenewalTerms.Refills;
    long permits = Math.min(share.held().permits(), share.offered().permits());
    double came = permits * (comesAtOnce ? Math.floor(periods) : periods);
    long onItsWay = share.offered().filled() - share.held().filled();
    return Math.max(0, said - onItsWay - (long) Math.min(said, came));
  }
}
