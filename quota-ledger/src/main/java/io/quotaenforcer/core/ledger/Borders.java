package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings the borders of a key whose clock lags since a takeover back to those of enforcer time. A
 * clock may stand still at any time, so one that lags may be taken for one that lags by whole
 * borders; and where nothing is booked, it does not matter by how many.
 */
final class Borders {
  private Borders() {}

  /** The ledger by enforcer time, if it has said for long enough that nobody used the key. */
  static KeyLedger align(KeyLedger before, long now) {
    StateClock clock = before.clock();
    if (clock.equals(StateClock.ENFORCER) || !before.limit().bordersMatter()) {
      return before;
    }
    long at = Math.max(now, before.timeNanos());
    return isUnused(before, clock.lagNanos(), at) ? aligned(before, at) : before;
  }

  /**
   * Whether the key was as new already at the latest time that has the borders of enforcer time and
   * that its clock has certainly come to.
   *
   * @param lagNanos how far its clock may run behind enforcer time
   */
  static boolean isUnused(KeyLedger ledger, long lagNanos, long enforcerNanos) {
    Limit limit = ledger.limit();
    long border = limit.borderNanos();
    long at = enforcerNanos + Math.floorDiv(-lagNanos, border) * border;
    return at >= ledger.clock().at(ledger.timeNanos()) && isAsNew(limit, ledger.state(), at);
  }

  /** Whether a first state allows neither more nor less. */
  static boolean isAsNew(Limit limit, LimitState state, long at) {
    long whole = limit.capacity();
    return limit.available(state, at) == whole
        && limit.forgettableAt(state, at) <= at
        && limit.available(limit.initial(at), at) == whole;
  }

  private static KeyLedger aligned(KeyLedger before, long now) {
    List<Holder> holders = new ArrayList<>(before.holders().size());
    for (Holder holder : before.holders()) {
      List<LedgerCell> cells = new ArrayList<>(holder.cells());
      cells.replaceAll(Borders::withoutBookings);
      holders.add(holder.withCells(cells).withClockBound(ClockBound.NONE));
    }
    return before.onEnforcerTime(before.limit().initial(now), holders);
  }

  /** Permits booked by the former clock have renewed and must not be freed by another clock. */
  private static LedgerCell withoutBookings(LedgerCell cell) {
    LedgerCell known = cell.withBooked(0, 0);
    return cell.isWrittenOff() ? known.withWrittenOff(0) : known;
  }
}
