package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import java.util.List;

/**
 * What the shares of a limit that may be in use amount to.
 *
 * @param permits per period
 * @param millis most at once, in thousandths of a permit
 */
record Lent(long permits, long millis) {
  static final Lent NOTHING = new Lent(0, 0);

  private static final long MILLIS = 1_000;

  /** Permits in a bucket that is itself let to shares, so that what is left of it is there. */
  long permitsOfWhole(Limit limit) {
    boolean whole = limit.isBucket() && 2 * millis > MILLIS * limit.capacity();
    return whole ? millis / MILLIS : 0;
  }

  /** Of all holders of one generation of the rule. */
  static Lent of(List<Holder> holders, long generation) {
    long permits = 0;
    long millis = 0;
    for (Holder holder : holders) {
      if (holder.generation() == generation && holder.cells().hasShareInUse()) {
        for (LedgerCell cell : holder.cells()) {
          permits += cell.isShareInUse() ? cell.share().permits() : 0;
          millis += cell.isShareInUse() ? cell.share().burstMillis() : 0;
        }
      }
    }
    return new Lent(permits, millis);
  }
}
