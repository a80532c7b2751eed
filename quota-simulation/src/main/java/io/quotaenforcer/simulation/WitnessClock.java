package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.ClockAudit.Shown;

/**
 * A clock that is never faster than true time and has the same borders as a ledger's clock.
 *
 * <p>While the ledger's clock is ahead and stands still, this one runs by true time until it has
 * caught up: use may be booked later than it happened. If the ledger's clock was set forward, this
 * one treats it as set back by whole borders, provided nothing was admitted for so long that it may
 * have stood still.
 */
final class WitnessClock {
  private boolean begun;
  private long newest;
  private long newestTrue;
  private long setBack;

  /** Reading of this clock when the other one shows {@code other}. */
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
