package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.DemandFall;

/**
 * The permits that a holder has asked for without a break for a while. A demand that stops is
 * steady no more, at once; but when it comes back soon, it was a pause, and is as steady as before.
 *
 * @param perSecond permits per second
 * @param pausedPerSecond the same before it fell, by more than chance; 0 if it has not lately
 * @param pausedNanos time since then
 */
public record SteadyDemand(double perSecond, double pausedPerSecond, long pausedNanos) {
  /** Threads wait for a processor, callers collect garbage: who is back by then has paused. */
  private static final long REMEMBERED_NANOS = 500_000_000L;

  static SteadyDemand of(double perSecond) {
    return new SteadyDemand(perSecond, 0, 0);
  }

  public boolean isPaused() {
    return pausedPerSecond > 0;
  }

  /**
   * As the next report tells.
   *
   * @param asked permits per second
   * @param cost permits of a request
   * @param part by which a demand that is another by chance comes nearer to that
   * @param elapsedNanos since the report before
   */
  SteadyDemand then(double asked, long cost, double part, long elapsedNanos) {
    long nanos = pausedNanos + Math.min(elapsedNanos, REMEMBERED_NANOS + 1);
    double paused = isPaused() && nanos <= REMEMBERED_NANOS ? pausedPerSecond : 0;
    if (DemandFall.isMoreThanChance(perSecond, asked, cost)) {
      boolean isFirst = paused < perSecond;
      return new SteadyDemand(asked, isFirst ? perSecond : paused, isFirst ? 0 : nanos);
    }
    if (paused > 0 && !DemandFall.isMoreThanChance(paused, asked, cost)) {
      return of(paused);
    }
    double next = perSecond + (asked - perSecond) * part;
    return paused > 0 ? new SteadyDemand(next, paused, nanos) : of(next);
  }

  /** With no more of it. */
  SteadyDemand atMost(double most) {
    return new SteadyDemand(Math.min(perSecond, most), pausedPerSecond, pausedNanos);
  }
}
