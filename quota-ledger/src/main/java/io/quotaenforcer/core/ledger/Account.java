package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.CellUsage;

/**
 * The used and remaining permits of a key's limit while one report is applied. Its kinds hold the
 * differences between permits that belong to a window, permits that renew with time, and slots.
 * Mutable, used by one call, then thrown away.
 */
abstract sealed class Account permits WindowAccount, RenewalAccount, SlotAccount {
  final Limit limit;
  final long now;
  final StateClock clock;
  private LimitState state;
  private Lent lent = Lent.NOTHING;
  private long over;
  private long tokensBack;

  Account(Limit limit, LimitState state, StateClock clock, long now) {
    this.limit = limit;
    this.state = state;
    this.clock = clock;
    this.now = now;
  }

  /** The account of a key that is counted under {@code limit} from now on. */
  static Account of(KeyLedger ledger, Limit limit, long now) {
    Limit from = ledger.limit();
    long at = ledger.clock().at(now);
    LimitState state =
        limit.equals(from)
            ? ledger.state()
            : limit.convert(from.advance(ledger.state(), at), from, at);
    return of(limit, state, ledger.clock(), now);
  }

  static Account of(Limit limit, LimitState state, StateClock clock, long now) {
    if (limit instanceof ConcurrencyLimit slots) {
      return new SlotAccount(slots, state, clock, now);
    }
    return limit instanceof WindowedLimit
        ? new WindowAccount(limit, state, clock, now)
        : new RenewalAccount(limit, state, clock, now);
  }

  /**
   * Brings the state to now: only once it is known what was spent before, since a bucket would take
   * a use that it hears of later for one of now, and not refill it.
   */
  final void advance() {
    state = limit.advance(state, stateTime(now));
  }

  final LimitState state() {
    return state;
  }

  /** The time on the clock that the state is kept by. */
  final long stateTime(long enforcerNanos) {
    return clock.at(enforcerNanos);
  }

  /** Permits that were neither used nor given up at an enforcer time, held ones included. */
  final long unused(long at) {
    return limit.availableBeside(state, lent.permitsOf(limit.cellWindow(at)), stateTime(at));
  }

  /** Permits that count as used now, beside those of shares. */
  final long used() {
    return limit.used(state, stateTime(now));
  }

  /** Permits that were used beyond what was left of the limit. */
  final long over() {
    return over;
  }

  /** Sets apart what shares may take by themselves. */
  final void lend(Lent newer) {
    lent = newer;
    long refill = limit.lentOfRefill(state);
    state = limit.lend(state, lent.permits(), lent.millis(), stateTime(now));
    // Who had what comes back may have had the next refill of it already, by another clock.
    spend(Math.max(0, refill - limit.lentOfRefill(state)), stateTime(now));
    state = limit.putIn(state, tokensBack);
    tokensBack = 0;
  }

  /** Tokens that shares have left over which ended: they fit in once their place is back. */
  final void tokensBack(long tokens) {
    tokensBack = PermitCount.plus(tokensBack, tokens);
  }

  /** Tokens in a bucket beside those that are lent; leased ones are among them. */
  final long tokens() {
    return limit.available(state, stateTime(now));
  }

  final Lent lent() {
    return lent;
  }

  /**
   * Charges what was used without a grant as far as something is left of the limit: what is over is
   * not owed by those who come later.
   */
  final LedgerCell bookOpened(LedgerCell cell, NewUse use) {
    if (use.permits() < 0) {
      return unbookOpened(cell, -use.permits());
    }
    if (isPast(cell)) {
      // What was left of it is not known any more.
      return cell;
    }
    long left = Math.max(0, leftFor(cell));
    long charged = Math.min(use.permits(), left);
    long uncharged = use.permits() - charged;
    over = PermitCount.plus(over, Math.max(0, uncharged - lent.permitsOfWhole(limit)));
    return charge(cell.withOver(PermitCount.plus(cell.over(), uncharged)), use.first(charged));
  }

  /** Frees what was charged; what was not is forgotten first. */
  private LedgerCell unbookOpened(LedgerCell cell, long unused) {
    long uncharged = Math.min(unused, cell.over());
    return free(cell.withOver(cell.over() - uncharged), unused - uncharged);
  }

  /** Charges all that is new of a cell, and settles it if it is closed. */
  LedgerCell book(LedgerCell cell, NewUse use) {
    return use.permits() < 0 ? free(cell, -use.permits()) : charge(cell, use);
  }

  /** Books permits as used at a time of the state's clock. */
  final void spend(long permits, long at) {
    state = limit.book(state, permits, at);
  }

  /** Books what a holder leaves behind that has less of the limit as its share. */
  final void leaveBehind(long used, long kept, long at) {
    state = limit.merge(state, used, kept, at);
  }

  /** Takes back a booking of a time of the state's clock. */
  final void unspend(long permits, long at) {
    state = limit.unbook(state, permits, at);
  }

  /** Books all that the holder may still take, each permit where it would be spent. */
  final void spendAll(Holder holder) {
    for (LedgerCell cell : holder.cells()) {
      spendAll(cell);
    }
  }

  abstract void spendAll(LedgerCell cell);

  /** Whether a holder need not be remembered for the sake of what it holds. */
  boolean mayForget(Holder holder) {
    return true;
  }

  abstract LedgerCell charge(LedgerCell cell, NewUse use);

  /** Frees permits that were charged and have been put back, or given back. */
  abstract LedgerCell free(LedgerCell cell, long permits);

  /** The cell as far as it was booked in the window of now, where such a booking is noted. */
  LedgerCell ofThisWindow(LedgerCell cell) {
    return cell;
  }

  /** Whether the cell's permits were of a time of which nothing is known any more. */
  abstract boolean isPast(LedgerCell cell);

  /** Permits of the cell's time that nobody has used. */
  abstract long leftFor(LedgerCell cell);

  /**
   * Charges use of a cell that nothing more is told of.
   *
   * @param window that it is counted in
   * @param latest enforcer time at which it was, at the latest
   * @param oldest window of which holders may be remembered
   */
  abstract void chargeOnce(CellUsage told, long window, long latest, long oldest);

  /**
   * Books as spent what was left in leases that have ended, at the time they ended: until its
   * holder closes the cell, nobody knows better.
   */
  abstract Holder withoutEndedLeases(Holder holder);

  /** Charges use of a holder's shares that is more than what is reserved for them. */
  Holder chargeShares(Holder holder) {
    return holder;
  }

  /**
   * Charges what a holder's share leaves behind that was cut or has ended.
   *
   * @param reported says how much of it counts as used; all of it if it does not
   */
  void shareChanged(LedgerCell before, LedgerCell after, CellUsage reported) {}

  /** Start of the window in which use of a cell is counted that is told of now. */
  abstract long countedIn(long cellWindow);

  /**
   * Permits of a window that will be unused within a time, as far as is known.
   *
   * @param window the current one or the next; 0 for kinds without windows
   */
  abstract long unusedSoon(long window, long aheadNanos);

  /** Enforcer time at which more permits come to a key that has none. */
  abstract long renewsAt();

  /** Permits of a cell that were used in a window. */
  abstract long usedIn(LedgerCell cell, long start);
}
