package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.CellUsage;

/**
 * Use of a cell that a report tells of and that is not booked yet.
 *
 * @param permits used; negative where more was put back than was used
 * @param early of them, those used before {@code earlierNanos} at least; may be out of bounds
 * @param earlierNanos on the clock of the cell's holder
 * @param clocks how that relates to the clock that use is booked by
 */
record NewUse(long permits, long early, long earlierNanos, ClockBound clocks) {

  /**
   * The use that a report adds.
   *
   * @param known of the cell before
   * @param merged of the cell now
   */
  static NewUse of(CellUsage known, CellUsage reported, CellUsage merged, ClockBound clocks) {
    long putBackSince = merged.putBack() - reported.putBack();
    long early = reported.usedEarlier() - putBackSince - known.used();
    return new NewUse(merged.used() - known.used(), early, reported.earlierNanos(), clocks);
  }

  /** The first {@code newPermits} permits of it. */
  NewUse first(long newPermits) {
    return new NewUse(newPermits, early, earlierNanos, clocks);
  }

  /** Permits that were certainly used earlier. */
  long certainlyEarly() {
    return Math.max(0, Math.min(permits, early));
  }

  /** The latest that the clock which use is booked by can have shown when these were used. */
  long latestOfEarly() {
    return clocks.latest(earlierNanos);
  }
}
