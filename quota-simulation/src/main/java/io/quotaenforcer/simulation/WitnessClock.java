package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.ClockAudit.Shown;

/**
 * A clock that is never faster than true time and tells borders as the clock of a ledger does.
 *
 * <p>Where that is ahead and stands still, this one goes on by true time until it is caught up
 * with: use may be booked later than it was. Where it was set forward, this one takes it for set
 * back by whole borders, if nothing was admitted for so long that it may have stood still.
 */
final class WitnessClock {
  private boolean begun;
  private long newest;
  private long newestTrue;
  private long setBack;

  /** What it shows when the other one shows something. */
  long at(Shown other, long borderNanos) {
    long shown = other.nanos() - setBack;
    if (begun) {
      long most = newest + other.trueNanos() - newestTrue;
      long back = -Math.floorDiv(most - shown, borderNanos) * borderNanos;
      if (shown > most && !other.standsStill() && shown - back >= newest) {
        setBack += back;
        shown -= back;
      }
      shown = Math.max(newest, Math.min(shown, most));
    }
    begun = true;
    newest = shown;
    newestTrue = other.trueNanos();
    return shown;
  }
}
