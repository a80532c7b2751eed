package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sum of a limit's shares that may be in use.
 *
 * @param permits per period
 * @param millis most at once, in thousandths of a permit
 * @param givenBack by the start of a window, permits of it that their holders will not take
 */
record Lent(long permits, long millis, Map<Long, Long> givenBack) {
  static final Lent NOTHING = new Lent(0, 0, Map.of());

  private static final long MILLIS = 1_000;

  /** Permits in a bucket that is itself let to shares, so that what is left of it is there. */
  long permitsOfWhole(Limit limit) {
    boolean whole = limit.isBucket() && 2 * millis > MILLIS * limit.capacity();
    return whole ? millis / MILLIS : 0;
  }

  /** Permits of a window that may be taken by shares, or were. */
  long permitsOf(long window) {
    return givenBack.isEmpty() ? permits : permits - givenBack.getOrDefault(window, 0L);
  }

  /** The sum over all holders of one generation of the rule. */
  static Lent of(List<Holder> holders, long generation) {
    long permits = 0;
    long millis = 0;
    Map<Long, Long> givenBack = Map.of();
    for (Holder holder : holders) {
      if (holder.generation() == generation && holder.cells().hasShareInUse()) {
        for (LedgerCell cell : holder.cells()) {
          permits += cell.isShareInUse() ? cell.share().permits() : 0;
          millis += cell.isShareInUse() ? cell.share().burstMillis() : 0;
          if (cell.isOfShare() && cell.usage().givenBack() > 0) {
            givenBack = givenBack.isEmpty() ? new HashMap<>() : givenBack;
            long window = cell.usage().windowStartNanos();
            givenBack.merge(window, WindowShares.givenBack(holder.cells(), cell), Long::sum);
          }
        }
      }
    }
    return new Lent(permits, millis, givenBack);
  }
}
