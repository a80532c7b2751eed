package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.NamedShare;
import java.util.ArrayList;
import java.util.List;

/**
 * The account of permits that renew with time: each is booked at the latest time at which it can
 * have been used, by a clock that may lag, and those of a lease that has ended as spent.
 */
final class RenewalAccount extends Account {
  /**
   * News of use that is no older counts as use of now: a steady stream of it takes its part of the
   * limit, a little later.
   */
  private static final long PROMPT_NANOS = 10_000_000_000L;

  RenewalAccount(Limit limit, LimitState state, StateClock clock, long now) {
    super(limit, state, clock, now);
  }

  @Override
  void spendAll(LedgerCell cell) {
    if (!cell.isWrittenOff()) {
      spendWhatIsLeft(cell);
    }
  }

  /** All of a share, but for that of a bucket: what was missing in it is missing from its place. */
  private void spendWhatIsLeft(LedgerCell cell) {
    long end = stateTime(cell.validUntilNanos());
    if (cell.isShareInUse()) {
      leaveBehind(cell.share().permits(), 0, end);
    } else {
      spend(cell.outstanding(), end);
    }
  }

  /** At the latest time at which it can have been used. */
  @Override
  void shareChanged(LedgerCell before, LedgerCell after, CellUsage reported) {
    long had = before.isShareInUse() ? before.share().permits() : 0;
    long has = after.isShareInUse() ? after.share().permits() : 0;
    boolean isSaid = reported.share().used() != NamedShare.NOT_SAID;
    long named = Math.max(0, reported.share().used());
    if (has < had) {
      leaveBehind(isSaid ? Math.min(named, had) : had, has, stateTime(now));
    }
    if (before.isShareInUse() && !after.isShareInUse() && isSaid) {
      tokensBack(Math.max(0, before.share().leastBurst() - named));
    }
  }

  @Override
  LedgerCell book(LedgerCell cell, NewUse use) {
    return cell.isWrittenOff() ? bookWrittenOff(cell, use.permits()) : super.book(cell, use);
  }

  /**
   * Books use at the time that the report names, as far as that is certain; two periods ago is as
   * long ago as any.
   */
  @Override
  LedgerCell charge(LedgerCell cell, NewUse use) {
    long early = limit.bordersMatter() ? use.certainlyEarly() : 0;
    long latest = stateTime(now);
    long at = Math.max(latest - 2 * limit.periodNanos(), Math.min(latest, use.latestOfEarly()));
    return charge(charge(cell, early, at), use.permits() - early, stateTime(now));
  }

  /** Booked at the latest time at which it can have been used. */
  private LedgerCell charge(LedgerCell cell, long used, long at) {
    if (used == 0) {
      return cell;
    }
    spend(used, at);
    if (refillsSteadily()) {
      long since = cell.bookedThere() > 0 ? Math.min(cell.bookedWindow(), at) : at;
      return cell.withBooked(since, cell.bookedThere() + used);
    }
    long window = limit.windowStart(at);
    long before = cell.bookedWindow() == window ? cell.bookedThere() : 0;
    return cell.withBooked(window, before + used);
  }

  /** Put back after it was booked: freed only as far as it is known where it was booked. */
  @Override
  LedgerCell free(LedgerCell cell, long permits) {
    long freed = Math.min(permits, cell.bookedThere());
    boolean steady = refillsSteadily();
    if (steady) {
      advance();
    }
    long then = cell.bookedWindow();
    unspend(freed, then);
    return cell.withBooked(
        steady ? then + lostTime(freed, then) : then, cell.bookedThere() - freed);
  }

  /** Whether tokens come one by one, so that a booking is known by its time and not its window. */
  private boolean refillsSteadily() {
    return limit.isBucket() && !limit.bordersMatter();
  }

  /**
   * What came since permits were booked might have run over without the booking, and is taken off
   * what is freed; but not once more off what is freed later.
   *
   * @return how long it took, at the least, until as much had come as was taken off
   */
  private long lostTime(long freed, long then) {
    if (!limit.mayUnbook(state(), then)) {
      return 0;
    }
    long period = limit.periodNanos();
    long whole =
        freed <= Long.MAX_VALUE / period
            ? freed * period / limit.permits()
            : freed / limit.permits() * period;
    return Math.max(0, Math.min(stateTime(now) - then, whole));
  }

  /** What was booked in a window before the current one is none of it. */
  @Override
  LedgerCell ofThisWindow(LedgerCell cell) {
    return limit.windowStart(cell.bookedWindow()) == limit.windowStart(stateTime(now))
        ? cell
        : cell.withBooked(0, 0);
  }

  /**
   * Use is part of the permits written off; those that a closed cell has left over are freed.
   * Permits put back had been booked before the lease ended.
   */
  private LedgerCell bookWrittenOff(LedgerCell cell, long used) {
    if (used < 0) {
      return bookWrittenOff(free(cell, -used), 0);
    }
    long unspent = cell.writtenOff() - used;
    if (unspent < 0) {
      spend(-unspent, stateTime(now));
      unspent = 0;
    }
    if (cell.usage().closed()) {
      unspend(unspent, stateTime(cell.validUntilNanos()));
      unspent = 0;
    }
    return cell.withWrittenOff(unspent);
  }

  @Override
  boolean isPast(LedgerCell cell) {
    return false;
  }

  @Override
  long leftFor(LedgerCell cell) {
    return unused(now);
  }

  /** Charges nothing for use so long ago that no holder would be remembered. */
  @Override
  void chargeOnce(CellUsage told, long window, long latest, long oldest) {
    if (window <= oldest) {
      return;
    }
    // A clock that was set back may not have come to that time yet.
    boolean known = clock.equals(StateClock.ENFORCER);
    boolean prompt = now - latest <= PROMPT_NANOS;
    long used = prompt ? told.used() : limit.unrenewed(told.used(), latest, now);
    spend(used, stateTime(known ? latest : now));
  }

  @Override
  Holder withoutEndedLeases(Holder holder) {
    if (holder.cells().firstLeaseEnd() >= now) {
      return holder;
    }
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    cells.replaceAll(cell -> leaseEnded(cell) ? writeOff(cell) : cell);
    return holder.withCells(cells);
  }

  private boolean leaseEnded(LedgerCell cell) {
    return cell.isGranted() && !cell.isWrittenOff() && cell.validUntilNanos() < now;
  }

  private LedgerCell writeOff(LedgerCell cell) {
    spendWhatIsLeft(cell);
    return cell.withWrittenOff(cell.outstanding());
  }

  @Override
  long countedIn(long cellWindow) {
    return limit.windowStart(now);
  }

  /** Those too that will have renewed by then. */
  @Override
  long unusedSoon(long window, long aheadNanos) {
    return unused(now + aheadNanos);
  }

  @Override
  long renewsAt() {
    return clock.toEnforcer(limit.availableAt(state(), 1, stateTime(now)));
  }

  @Override
  long usedIn(LedgerCell cell, long start) {
    return limit.windowStart(cell.bookedWindow()) == start ? cell.bookedThere() : 0;
  }
}
