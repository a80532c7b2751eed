package io.quotaenforcer.core.ledger;

/**
 * What a holder's newest report told.
 *
 * @param demandPerSecond permits it asked for per second
 * @param needed permits that its requests wait for
 * @param loopNanos time from report to answer that it measured; 0 when not known yet
 * @param atNanos enforcer time at which it came
 * @param clockBound how the clock that use is booked by relates to the holder's own
 */
public record LastReport(
    double demandPerSecond, long needed, long loopNanos, long atNanos, ClockBound clockBound) {
  /** Nothing was reported until now. */
  static LastReport none(long now) {
    return new LastReport(0, 0, 0, now, ClockBound.NONE);
  }

  LastReport withClockBound(ClockBound newer) {
    return new LastReport(demandPerSecond, needed, loopNanos, atNanos, newer);
  }
}
