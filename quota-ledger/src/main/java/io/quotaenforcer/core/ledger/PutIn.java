package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.AtRest;
import io.quotaenforcer.core.rule.Rule;

/**
 * Tokens that are missing from a small share of a bucket, as it rests when nobody asks, and that
 * the bucket has: they are put in while they are few, so that the share need not bring as many by
 * itself.
 */
final class PutIn {
  /** One of so many that are free. */
  private static final long PER_FREE = 2;

  /**
   * What the share brings by itself within that time is not put in: it would run over then, and be
   * missing from the bucket for as long as somebody asks.
   */
  private static final double SOON_NANOS = 1e9;

  private PutIn() {}

  /**
   * How many are to be put into the share of the holder at {@code index}.
   *
   * @param keptForOthers tokens that are not free
   */
  static long tokens(
      WorkingLedger ledger, int index, Rule rule, LedgerSettings settings, long keptForOthers) {
    Holder holder = ledger.holders().get(index);
    LedgerShare share = holder.share();
    boolean isSmall =
        RestingShares.lets(ledger.limit, rule, settings)
            && ledger.limit.isBucket()
            && !holder.isReplays()
            && share.isSettled()
            && share.permits() > 0
            && RestingShares.atOnce(share) <= AtRest.few(ledger.limit);
    if (!isSmall) {
      return 0;
    }
    long leased = ledger.outstanding(0) + ledger.headroom(0).total();
    long free = ledger.unused(ledger.now) - leased - keptForOthers;
    long missing = Math.min(SharesInUse.usedIn(ledger, holder), share.leastBurst());
    double comesSoon = share.permits() * SOON_NANOS / ledger.limit.periodNanos();
    return Math.max(0, Math.min(missing - (long) comesSoon, free / PER_FREE));
  }
}
