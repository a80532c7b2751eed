package io.quotaenforcer.simulation;

import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.LedgerCell;
import io.quotaenforcer.core.ledger.LedgerShare;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.simulation.ClockAudit.Counted;

/** Checks that no more than half of a limit is let for longer than shares usually are. */
final class RestAudit {
  private final long usualTermNanos;
  private long mostBeyondHalf = Long.MIN_VALUE;
  private long begun;

  /**
   * @param usualTermNanos of shares that are in use
   */
  RestAudit(long usualTermNanos) {
    this.usualTermNanos = usualTermNanos;
  }

  /** Takes in committed ledgers. */
  void counted(Counted counted) {
    long before = resting(counted.before(), counted.enforcerNanos());
    long after = resting(counted.after(), counted.enforcerNanos());
    begun += after > before ? 1 : 0;
    if (after > 0) {
      long half = counted.after().limit().permits() / 2;
      mostBeyondHalf = Math.max(mostBeyondHalf, after - half);
    }
  }

  private long resting(KeyLedger ledger, long now) {
    long permits = 0;
    for (Holder holder : ledger.holders()) {
      for (LedgerCell cell : holder.cells()) {
        LedgerShare share = cell.share();
        boolean ended =
            cell.usage().closed()
                || cell.isWrittenOff()
                || cell.usage().shareNumber() == RateShare.ENDED;
        if (share.isShare() && !ended && share.term().endNanos() > now + usualTermNanos) {
          permits += Math.max(share.held().permits(), share.offered().permits());
        }
      }
    }
    return permits;
  }

  /** Times that more came to rest. */
  long begun() {
    return begun;
  }

  /** Permits at rest beyond half of the limit; empty if there never were any. */
  String violation() {
    return mostBeyondHalf > 0 ? mostBeyondHalf + " permits at rest beyond half of the limit" : "";
  }
}
