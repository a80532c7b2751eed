package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.ClockAudit.Shown;
import java.util.function.LongPredicate;

/**
 * A clock that is never faster than true time and has the same borders as a ledger's clock.
 *
 * <p>While the ledger's clock is ahead and stands still, this one runs by true time until it has
 * caught up: use may be booked later than it happened. If the ledger's clock was set forward, this
 * one treats it as set back by whole borders, provided nothing was admitted for so long that it may
 * have stood still. Where nothing that was admitted counts any more, there is nothing that a clock
 * could renew too early, and this one begins anew.
 */
final class WitnessClock {
  private boolean begun;
  private long newest;
  private long newestTrue;
  private long setBack;

  /**
   * Reading of this clock when the other one shows {@code other}.
   *
   * @param isAsNew whether nothing counts any more at a reading of this clock
   */
  long at(Shown other, long borderNanos, LongPredicate isAsNew) {
    long most = newest + other.trueNanos() - newestTrue;
    if (begun && isAsNew.test(most)) {
      begun = false;
      setBack = 0;
    }
    long shown = other.nanos() - setBack;
    if (begun) {
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
