package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;

/** Use that is told of once and never again, maybe long after it was. */
final class UseOnce {
  private UseOnce() {}

  /**
   * Counts use in the window that it was in, and charges it to that; of kinds without windows, as
   * late as it can have been, and to nothing once that is so long ago that no holder would be
   * remembered. Use that is ahead of the next window is taken for use of now.
   *
   * @param retentionNanos for how long a holder is remembered
   */
  static void count(WorkingLedger ledger, CellUsage told, boolean charged, long retentionNanos) {
    Limit limit = ledger.limit;
    long current = limit.windowStart(ledger.now);
    long from = told.windowStartNanos();
    boolean dated = isDated(limit, from, current);
    long window = window(limit, from, ledger.now);
    long latest = dated ? Math.min(ledger.now, from + limit.borderNanos() - 1) : ledger.now;
    ledger.countOnce(told, window);
    if (charged) {
      ledger.account.chargeOnce(
          told, window, latest, current - retentionNanos - limit.periodNanos());
    }
  }

  /**
   * The window of use; one that cannot be right becomes the current, one that is long over stays:
   * an outage may be longer, and reports wait for its end.
   */
  static long window(Limit limit, long from, long now) {
    long current = limit.windowStart(now);
    return isDated(limit, from, current) ? limit.windowStart(from) : current;
  }

  private static boolean isDated(Limit limit, long from, long current) {
    return from > 0 && limit.windowStart(from) <= limit.windowEnd(current);
  }
}
