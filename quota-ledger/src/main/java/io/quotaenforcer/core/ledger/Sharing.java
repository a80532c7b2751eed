package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
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

  /**
   * Cells of a holder beside which no share begins: one that is ended is kept until its terms end,
   * and a report with too many is refused.
   */
  static final int MOST_BESIDE = HolderBound.MOST_CELLS / 2;

  /** The same where the cells of windows come beside them. */
  static final int MOST_BESIDE_WINDOWS = HolderBound.MOST_CELLS - MOST_WINDOWS - 8;

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
   * @return whether the holder gets its first share once the transaction is committed
   */
  boolean offer(WorkingLedger ledger, int index, ShareSize size) {
    Holder holder = ledger.holders().get(index);
    int most = ledger.limit instanceof WindowedLimit ? MOST_BESIDE_WINDOWS : MOST_BESIDE;
    boolean mayBegin = size.permits() > 0 && holder.cells().size() < most;
    if (!mayBegin && !holder.cells().hasShareInUse()) {
      return false;
    }
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    int at = indexOfShare(cells);
    LedgerShare share = at < 0 ? LedgerShare.NONE : cells.get(at).share();
    long commit = ledger.tenure.commit();
    if (share.isSettled()) {
      ShareSize terms = terms(ledger, share.held(), size);
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
        lend(ledger, index, cells.get(at < 0 ? cells.size() - 1 : at));
        fitHeadrooms(ledger);
      }
    }
    return share.isHeldBack(commit);
  }

  /**
   * Puts tokens of a bucket into a share whose terms stay. Until its holder names them, they take
   * room in the bucket that they were spent from.
   */
  static void putIn(WorkingLedger ledger, int index, long tokens) {
    Holder holder = ledger.holders().get(index);
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    int at = indexOfShare(cells);
    if (tokens <= 0 || at < 0) {
      return;
    }
    LedgerShare share = cells.get(at).share();
    long number = share.offered().number() + 1;
    cells.set(
        at,
        cells
            .get(at)
            .withShare(
                share
                    .withOffer(number, share.size(), ledger.tenure.commit(), ledger.now)
                    .withFill(tokens)));
    ledger.account.spend(tokens, ledger.stateTime(ledger.now));
    ledger.holders().set(index, holder.withCells(cells));
    ledger.lend();
  }

  /**
   * Lends what was offered. The tokens that do not fit into what is left of a bucket go along with
   * the offer.
   */
  private static void lend(WorkingLedger ledger, int index, LedgerCell offered) {
    long before = ledger.account.tokens();
    ledger.lend();
    // Of a token that only a part fits in, nothing goes along.
    long broken = ledger.lentMillis() % MILLIS == 0 ? 0 : 1;
    long tokens = before - ledger.account.tokens() - broken;
    if (tokens > 0 && ledger.limit.isBucket()) {
      List<LedgerCell> cells = new ArrayList<>(ledger.holders().get(index).cells());
      cells.replaceAll(
          cell -> cell.id() == offered.id() ? cell.withShare(cell.share().withFill(tokens)) : cell);
      ledger.holders().set(index, ledger.holders().get(index).withCells(cells));
    }
  }

  /** The part of the wanted size that can be given while everything else is in use. */
  private static ShareSize terms(WorkingLedger ledger, RateShare held, ShareSize size) {
    if (ledger.limit.isBucket()) {
      return bucketTerms(ledger, held, size);
    }
    long free = Math.max(0, freeOfAll(ledger));
    return ShareSize.of(Math.min(size.permits(), held.permits() + free));
  }

  private static ShareSize bucketTerms(WorkingLedger ledger, RateShare held, ShareSize size) {
    Limit bucket = ledger.limit;
    long freePermits = bucket.permits() - ledger.lentPermits();
    long leased = ledger.outstanding(0) + ledger.headroom(0).total();
    long freeMillis = (bucket.capacity() - leased) * MILLIS - ledger.lentMillis();
    long permits = Math.min(size.permits(), held.permits() + Math.max(0, freePermits));
    long millis = Math.min(size.burstMillis(), held.burstMillis() + Math.max(0, freeMillis));
    return permits < 1 || millis < MILLIS ? ShareSize.NONE : new ShareSize(permits, millis);
  }

  /**
   * Permits by which a share can grow: those that are there in this window, and in the next one as
   * far as that is known. Permits set aside to be leased are not leased yet.
   */
  private static long freeOfAll(WorkingLedger ledger) {
    long free = Long.MAX_VALUE;
    for (long window : windows(ledger)) {
      free = Math.min(free, free(ledger, window));
    }
    return free;
  }

  private static long free(WorkingLedger ledger, long window) {
    return ledger.unused(Math.max(ledger.now, window)) - ledger.outstanding(window);
  }

  private static void fitHeadrooms(WorkingLedger ledger) {
    if (ledger.limit.isBucket()) {
      return;
    }
    for (long window : windows(ledger)) {
      Headroom headroom = ledger.headroom(window);
      long most = Math.max(0, free(ledger, window));
      if (headroom.total() > most) {
        ledger.headroom(headroom.lower(most, ledger.tenure.commit()));
      }
    }
  }

  /** The current one and the next; 0 for kinds without windows. */
  private static long[] windows(WorkingLedger ledger) {
    long window = ledger.limit.cellWindow(ledger.now);
    return ledger.limit instanceof WindowedLimit limit
        ? new long[] {window, limit.windowEnd(window)}
        : new long[] {window};
  }

  private static boolean isWorthIt(RateShare held, ShareSize terms) {
    return isFar(held.permits(), terms.permits()) || isFar(held.burstMillis(), terms.burstMillis());
  }

  private static boolean isFar(long held, long wanted) {
    return Math.abs(wanted - held) > held / SMALLEST_PART;
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
