package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.List;

/**
 * Shares: parts of a limit that holders have for themselves, whose permits renew there.
 *
 * <p>In every ledger, for all terms that may be in use, shares and the ledger's own part are
 * together no more than the limit. Of a bucket: {@code rates of shares + rate that refills the
 * ledger's own part <= rate of the limit}, and {@code bursts of shares + permits leased or set
 * aside <= capacity}. Of windows: {@code permits of shares + permits used, leased or set aside <=
 * permits of the limit}, in each window.
 */
final class Sharing {
  private static final long MILLIS = 1_000;

  /** Changes of terms that are a smaller part than this of what they were are not worth it. */
  private static final long SMALLEST_PART = 256;

  /** So that the cells of all windows of a term fit into a report. */
  private static final int MOST_WINDOWS = 60;

  private final LedgerSettings settings;

  Sharing(LedgerSettings settings) {
    this.settings = settings;
  }

  /** Enforcer time until which a share may be used that is renewed now. */
  long termEnd(WorkingLedger ledger) {
    long term = settings.shareTermNanos();
    boolean windows = ledger.limit instanceof WindowedLimit;
    long most = windows ? MOST_WINDOWS * ledger.limit.periodNanos() : term;
    return ledger.now + Math.min(term, most);
  }

  /**
   * Offers the holder other terms, as far as there is room for them beside all that is in use.
   *
   * @param divided whether all of a bucket is divided, full or not
   * @return whether the holder gets its first share once the transaction is committed
   */
  boolean offer(WorkingLedger ledger, int index, ShareSize size, boolean divided) {
    Holder holder = ledger.holders().get(index);
    if (size.permits() == 0 && !holder.cells().hasShareInUse()) {
      return false;
    }
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    int at = indexOfShare(cells);
    LedgerShare share = at < 0 ? LedgerShare.NONE : cells.get(at).share();
    long commit = ledger.tenure.commit();
    if (share.isSettled()) {
      ShareSize terms = terms(ledger, share.held(), size, divided);
      if (isWorthIt(share.held(), terms)) {
        if (at < 0) {
          long id = holder.nextGrantedId(ledger.now);
          long until = termEnd(ledger);
          share =
              share
                  .withOffer(id, terms, commit, ledger.now)
                  .withTerm(ShareTerm.first(until, commit));
          cells.add(LedgerCell.share(id, share, until));
        } else {
          share = share.withOffer(share.offered().number() + 1, terms, commit, ledger.now);
          cells.set(at, cells.get(at).withShare(share));
        }
        ledger.holders().set(index, holder.withCells(cells));
        ledger.lend();
        fitHeadrooms(ledger);
      }
    }
    return share.isHeldBack(commit);
  }

  /** What can be given of the size while everything else is in use. */
  private static ShareSize terms(
      WorkingLedger ledger, RateShare held, ShareSize size, boolean divided) {
    TokenBucket bucket = TokenBucket.in(ledger.limit).orElse(null);
    return bucket == null
        ? windowTerms(ledger, held, size)
        : bucketTerms(ledger, bucket, held, size, divided);
  }

  /**
   * A share begins empty, so that what it takes of a full bucket is lost to those who come with a
   * burst: where leases carry the load, it grows only by capacity that is empty.
   */
  private static ShareSize bucketTerms(
      WorkingLedger ledger, TokenBucket bucket, RateShare held, ShareSize size, boolean divided) {
    long freePermits = bucket.permits() - ledger.lentPermits();
    long leased = ledger.outstanding(0) + ledger.headroom(0).total();
    long taken = divided ? leased : Math.max(leased, ledger.unused(ledger.now));
    long freeMillis = (bucket.capacity() - taken) * MILLIS - ledger.lentMillis();
    long permits = Math.min(size.permits(), held.permits() + Math.max(0, freePermits));
    long millis = Math.min(size.burstMillis(), held.burstMillis() + Math.max(0, freeMillis));
    return permits < 1 || millis < MILLIS ? ShareSize.NONE : new ShareSize(permits, millis);
  }

  /** A share grows by what is there in this window, and in the next one as far as that is known. */
  private static ShareSize windowTerms(WorkingLedger ledger, RateShare held, ShareSize size) {
    long window = ledger.limit.cellWindow(ledger.now);
    long free = Math.min(free(ledger, window), free(ledger, ledger.limit.windowEnd(window)));
    return ShareSize.of(Math.min(size.permits(), held.permits() + Math.max(0, free)));
  }

  /** What is set aside to be leased is not leased yet: a share may grow by it instead. */
  private static long free(WorkingLedger ledger, long window) {
    return ledger.unused(window) - ledger.outstanding(window);
  }

  private static void fitHeadrooms(WorkingLedger ledger) {
    if (ledger.limit instanceof WindowedLimit limit) {
      long window = limit.cellWindow(ledger.now);
      for (long each : new long[] {window, limit.windowEnd(window)}) {
        Headroom headroom = ledger.headroom(each);
        long most = Math.max(0, free(ledger, each));
        if (headroom.total() > most) {
          ledger.headroom(headroom.lower(most, ledger.tenure.commit()));
        }
      }
    }
  }

  private static boolean isWorthIt(RateShare held, ShareSize terms) {
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
