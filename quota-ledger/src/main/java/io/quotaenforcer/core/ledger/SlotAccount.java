package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.message.CellUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * The account of slots, which are used as long as requests hold them. Of each cell the state has
 * what its holder reported last as held, until that is given back.
 *
 * <p>Of a holder that is silent until its lease ends, all that it may hold counts as held. It is
 * free again {@linkplain ConcurrencyLimit#maxHoldNanos so long} after its lease and its last
 * report: what it gave to a request is given back by then. A holder that is heard of again after
 * that has what its requests still hold counted once more, if there is room or not.
 */
final class SlotAccount extends Account {
  private final long maxHoldNanos;

  SlotAccount(ConcurrencyLimit limit, LimitState state, StateClock clock, long now) {
    super(limit, state, clock, now);
    this.maxHoldNanos = limit.maxHoldNanos();
  }

  /** Slots of a cell that the state has booked. */
  static long booked(LedgerCell cell) {
    if (!cell.isGranted() || cell.usage().closed()) {
      return 0;
    }
    return cell.usage().used() - cell.over() + Math.max(0, cell.writtenOff());
  }

  /** Slots that a holder has, or may have, beside those that it may still take. */
  static long booked(Holder holder) {
    long booked = 0;
    for (LedgerCell cell : holder.cells()) {
      booked += booked(cell);
    }
    return booked;
  }

  /** Slots that a request took. */
  static long begun(CellUsage known, CellUsage merged) {
    return Math.max(0, merged.taken() - merged.givenBack() - (known.taken() - known.givenBack()));
  }

  /** When a holder last told that requests took slots; 0 if that is not known. */
  static long servedAtNanos(Holder holder) {
    long latest = 0;
    for (LedgerCell cell : holder.cells()) {
      latest = Math.max(latest, cell.isGranted() ? cell.bookedWindow() : 0);
    }
    return latest;
  }

  /** Enforcer time from which nothing of a cell counts, if its holder is not heard of again. */
  static long freeFrom(Limit limit, Holder holder, LedgerCell cell) {
    long maxHold = limit instanceof ConcurrencyLimit slots ? slots.maxHoldNanos() : 0;
    return Math.max(cell.validUntilNanos(), holder.lastReportNanos()) + maxHold;
  }

  /** The holder's slots come back in time, so it is not forgotten before. */
  @Override
  boolean mayForget(Holder holder) {
    return booked(holder) == 0 && holder.outstanding(limit, 0) == 0;
  }

  /** There is nothing to book of a holder that may be forgotten. */
  @Override
  void spendAll(LedgerCell cell) {}

  @Override
  LedgerCell book(LedgerCell cell, NewUse use) {
    if (!cell.isGranted()) {
      return cell;
    }
    LedgerCell known = cell;
    if (cell.isWrittenOff() && cell.over() > 0) {
      // It was free for others.
      spend(cell.over(), now);
      known = cell.withOver(0);
    }
    known = use.permits() < 0 ? free(known, -use.permits()) : charge(known, use);
    if (known.usage().closed()) {
      unspend(known.usage().used() + Math.max(0, known.writtenOff()), now);
      return known.isWrittenOff() ? known.withWrittenOff(0) : known;
    }
    if (!known.isWrittenOff()) {
      return known;
    }
    // Of what counted as held, it may hold no more than it can still take.
    long left = Math.min(known.writtenOff(), known.outstanding());
    unspend(known.writtenOff() - left, now);
    return known.withWrittenOff(left);
  }

  @Override
  LedgerCell charge(LedgerCell cell, NewUse use) {
    spend(use.permits(), now);
    return cell;
  }

  @Override
  LedgerCell free(LedgerCell cell, long permits) {
    unspend(permits, now);
    return cell;
  }

  @Override
  boolean isPast(LedgerCell cell) {
    return false;
  }

  @Override
  long leftFor(LedgerCell cell) {
    return unused(now);
  }

  /** A request that is told of once it has run holds nothing. */
  @Override
  void chargeOnce(CellUsage told, long window, long latest, long oldest) {}

  @Override
  Holder withoutEndedLeases(Holder holder) {
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    cells.replaceAll(cell -> cell.isGranted() ? withoutEndedLease(holder, cell) : cell);
    return holder.withCells(cells);
  }

  private LedgerCell withoutEndedLease(Holder holder, LedgerCell cell) {
    if (cell.usage().closed() || cell.validUntilNanos() >= now) {
      return cell;
    }
    LedgerCell ended = cell.isWrittenOff() ? cell : writeOff(cell);
    long booked = booked(ended);
    if (booked <= 0
        || now <= Math.max(cell.validUntilNanos(), holder.lastReportNanos()) + maxHoldNanos) {
      return ended;
    }
    unspend(booked, now);
    return ended.withWrittenOff(0).withOver(Math.max(0, ended.usage().used()));
  }

  private LedgerCell writeOff(LedgerCell cell) {
    long outstanding = cell.outstanding();
    spend(outstanding, now);
    return cell.withWrittenOff(outstanding);
  }

  @Override
  long countedIn(long cellWindow) {
    return limit.windowStart(now);
  }

  @Override
  long unusedSoon(long window, long aheadNanos) {
    return unused(now);
  }

  /** They may come at any moment. */
  @Override
  long renewsAt() {
    return now;
  }

  @Override
  long usedIn(LedgerCell cell, long start) {
    return 0;
  }
}
