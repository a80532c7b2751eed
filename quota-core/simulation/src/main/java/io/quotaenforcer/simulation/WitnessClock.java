package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.LoopSimulation.Admission;

/**
 * A clock that is never faster than true time and tells borders as the clock of a ledger does. When
 * that is set forward this one takes it for set back, by whole borders, if nothing was admitted for
 * so long that it may have stood still; else it goes on by true time until the other, which stands
 * still, is caught up with.
 */
final class WitnessClock {

  /** What the clock of a ledger shows when the clock of an admission was read. */
  @FunctionalInterface
  interface Shown {
    long at(Admission admission);
  }

  private boolean begun;
  private long newest;
  private long newestTrue;
  private long setBack;

  /** What it shows at a true time at which the other one shows a time. */
  long at(long shownNanos, long trueNanos, long borderNanos) {
    long shown = shownNanos - setBack;
    if (begun) {
      long most = newest + trueNanos - newestTrue;
      long back = Math.max(0, -Math.floorDiv(most - shown, borderNanos)) * borderNanos;
      if (shown > most && shown - back >= newest) {
        setBack += back;
        shown -= back;
      }
      shown = Math.max(newest, Math.min(shown, most));
    }
    begun = true;
    newest = shown;
    newestTrue = trueNanos;
    return shown;
  }
}
