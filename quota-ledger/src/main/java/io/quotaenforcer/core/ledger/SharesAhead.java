package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.message.NamedShare;
import java.util.ArrayList;
import java.util.List;

/**
 * Permits of a sliding limit that its shares bring to their holders: what is left in them, and what
 * was used of them, as it slides out of the period. When it was used only the holder knows: it
 * counts as used evenly since the share began, or within the last period.
 */
record SharesAhead(List<Room> rooms) {
  static final SharesAhead NONE = new SharesAhead(List.of());

  /**
   * One share, or all that are older than a period.
   *
   * @param left permits that its holder may take at once
   * @param used permits that count as used
   * @param firstBackNanos time until the first of these may come back
   * @param overNanos time over which they come back then
   */
  record Room(long left, long used, long firstBackNanos, long overNanos) {
    double within(long nanos) {
      double part = (double) (nanos - firstBackNanos) / overNanos;
      return left + used * Math.max(0, Math.min(1, part));
    }

    /** With another that comes back at the same times. */
    private Room and(Room other) {
      return new Room(left + other.left, used + other.used, firstBackNanos, overNanos);
    }
  }

  /** Of holders that are alive; none of a limit that does not slide. */
  static SharesAhead of(WorkingLedger ledger, LedgerSettings settings) {
    if (!(ledger.limit.renewal() instanceof RenewalTerms.Slots)) {
      return NONE;
    }
    long period = ledger.limit.periodNanos();
    List<Room> rooms = new ArrayList<>();
    Room old = new Room(0, 0, 0, period);
    for (Holder holder : ledger.holders()) {
      if (holder.generation() == ledger.generation
          && holder.cells().hasShareInUse()
          && Needs.isAlive(ledger, holder, settings)) {
        for (LedgerCell cell : holder.cells()) {
          if (cell.isShareInUse()) {
            Room room = room(cell, ledger);
            if (room.overNanos < period) {
              rooms.add(room);
            } else {
              old = old.and(room);
            }
          }
        }
      }
    }
    rooms.add(old);
    return new SharesAhead(rooms);
  }

  private static Room room(LedgerCell cell, WorkingLedger ledger) {
    long period = ledger.limit.periodNanos();
    long permits = cell.share().permits();
    long said = cell.usage().share().used();
    long used = said == NamedShare.NOT_SAID ? permits : Math.max(0, Math.min(said, permits));
    long age = Math.max(1, Math.min(period, ledger.now - cell.share().sinceNanos()));
    return new Room(permits - used, used, period - age, age);
  }

  /** Permits that may be taken by them within a time. */
  double within(long nanos) {
    double sum = 0;
    for (Room room : rooms) {
      sum += room.within(nanos);
    }
    return sum;
  }
}
