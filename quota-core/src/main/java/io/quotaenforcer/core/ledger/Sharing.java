package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.List;

/**
 * Rate shares of a token bucket: parts of its rate and of its capacity that holders have for
 * themselves. A bucket whose capacity refills within few loops cannot be used up by leases, since a
 * permit that is leased comes back into use only a loop later.
 *
 * <p>{@code rates of shares + rate that refills the ledger's own part <= rate of the limit}, and
 * {@code bursts of shares + permits leased or set aside to be leased <= capacity}; both hold in
 * every ledger, for all terms that may be in use.
 */
final class Sharing {
  private static final long MILLIS = 1_000;

  /** Changes of terms that are a smaller part than this of what they were are not worth it. */
  private static final long SMALLEST_PART = 256;

  private final LedgerSettings settings;

  Sharing(LedgerSettings settings) {
    this.settings = settings;
  }

  /**
   * Offers the holder other terms, as far as there is room for them beside all that is in use.
   *
   * @return whether the holder gets its first share once the transaction is committed
   */
  boolean offer(WorkingLedger ledger, int index, SharePlan plan) {
    TokenBucket bucket = TokenBucket.in(ledger.limit).orElse(null);
    if (bucket == null) {
      return false;
    }
    Holder holder = ledger.holders().get(index);
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    int at = indexOfShare(cells);
    LedgerShare share = at < 0 ? LedgerShare.NONE : cells.get(at).share();
    long commit = ledger.tenure.commit();
    if (share.isSettled()) {
      RateShare terms = terms(ledger, bucket, share.held(), plan);
      if (isWorthIt(share.held(), terms)) {
        share = share.withOffer(terms.permits(), terms.burstMillis(), commit, ledger.now);
        if (at < 0) {
          long until = ledger.now + settings.allotmentTtlNanos();
          cells.add(LedgerCell.share(holder.nextGrantedId(ledger.now), share, until));
        } else {
          cells.set(at, cells.get(at).withShare(share));
        }
        ledger.holders().set(index, holder.withCells(cells));
        ledger.lend();
      }
    }
    return share.isHeldBack(commit);
  }

  /** What can be given of the plan while everything else is in use. */
  private static RateShare terms(
      WorkingLedger ledger, TokenBucket bucket, RateShare held, SharePlan plan) {
    long freePermits = bucket.permits() - ledger.lentPermits();
    long leased = ledger.outstanding(0) + ledger.headroom(0).total();
    long freeMillis = (bucket.capacity() - leased) * MILLIS - ledger.lentMillis();
    long permits = Math.min(plan.permits(), held.permits() + Math.max(0, freePermits));
    long millis = Math.min(plan.burstMillis(), held.burstMillis() + Math.max(0, freeMillis));
    return permits < 1 || millis < MILLIS
        ? new RateShare(held.number(), 0, 0)
        : new RateShare(held.number(), permits, millis);
  }

  private static boolean isWorthIt(RateShare held, RateShare terms) {
    return isFar(held.permits(), terms.permits()) || isFar(held.burstMillis(), terms.burstMillis());
  }

  private static boolean isFar(long held, long wanted) {
    boolean ends = wanted == 0 && held > 0;
    return ends || Math.abs(wanted - held) > held / SMALLEST_PART;
  }

  private static int indexOfShare(List<LedgerCell> cells) {
    for (int i = 0; i < cells.size(); i++) {
      if (cells.get(i).isShareInUse()) {
        return i;
      }
    }
    return -1;
  }
}
