package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.DemandFall;

/**
 * What a holder's newest report told.
 *
 * @param demandPerSecond permits it asked for per second
 * @param steadyPerSecond of these, the permits that it has asked for without a break for a while
 * @param needed permits that its requests wait for
 * @param loopNanos time from report to answer that it measured; 0 when not known yet
 * @param atNanos enforcer time at which it came
 * @param clockBound how the clock that use is booked by relates to the holder's own
 */
public record LastReport(
    double demandPerSecond,
    double steadyPerSecond,
    long needed,
    long loopNanos,
    long atNanos,
    ClockBound clockBound) {

  /**
   * Demand that has come is taken for steady over this time, and what has gone is not, sooner: at
   * once if that is no chance.
   */
  static final double RISES_NANOS = 2e9;

  private static final double FALLS_NANOS = 0.5e9;

  /** A report says nothing of what was asked for before this time. */
  private static final long SEEN_NANOS = 500_000_000L;

  /** Nothing was reported until now. */
  static LastReport none(long now) {
    return new LastReport(0, 0, 0, 0, now, ClockBound.NONE);
  }

  /** The next one. */
  LastReport then(double demand, long newNeeded, long newLoop, long at, ClockBound newBound) {
    double sinceNanos = Math.max(0, Math.min(SEEN_NANOS, at - atNanos));
    double change = demand - steadyPerSecond;
    boolean isGone = DemandFall.isMoreThanChance(steadyPerSecond, demand);
    double part = isGone ? 1 : Math.min(1, sinceNanos / (change > 0 ? RISES_NANOS : FALLS_NANOS));
    return new LastReport(
        demand, steadyPerSecond + change * part, newNeeded, newLoop, at, newBound);
  }

  /** With no more permits per second that count as asked for steadily. */
  LastReport steadyAtMost(double perSecond) {
    double steady = Math.min(steadyPerSecond, perSecond);
    return new LastReport(demandPerSecond, steady, needed, loopNanos, atNanos, clockBound);
  }

  LastReport withClockBound(ClockBound newer) {
    return new LastReport(demandPerSecond, steadyPerSecond, needed, loopNanos, atNanos, newer);
  }
}
