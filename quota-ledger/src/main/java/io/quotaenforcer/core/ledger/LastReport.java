package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.message.Need;
import java.util.List;

/**
 * The content of a holder's newest report.
 *
 * @param demandPerSecond permits it asked for per second
 * @param steady of these, the permits that it has asked for without a break for a while
 * @param need permits that its requests lack
 * @param loopNanos time from report to answer that it measured; 0 when not known yet
 * @param time when it was sent and came
 * @param clockBound how the clock that use is booked by relates to the holder's own
 * @param classes of demand and need, the part of each class of the rule; none where it has none
 */
public record LastReport(
    double demandPerSecond,
    SteadyDemand steady,
    Need need,
    long loopNanos,
    ReportTime time,
    ClockBound clockBound,
    List<ClassReport> classes) {

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Demand that has come is taken for steady over this time, and what has gone is not, sooner: at
   * once if that is no chance. Where a cut costs, it takes longer to tell of few requests.
   */
  static final double RISES_NANOS = 2e9;

  private static final double FALLS_NANOS = 0.5e9;

  /** Requests over which a demand is averaged at least, as they do not come evenly. */
  private static final double EVEN = 40;

  private static final double LONGEST_NANOS = 10e9;

  /** A report says nothing of what was asked for before this time. */
  private static final long SEEN_NANOS = 500_000_000L;

  public LastReport {
    classes = List.copyOf(classes);
  }

  /** Of requests whose costs are not known, for a rule without classes. */
  public LastReport(
      double demandPerSecond,
      double steadyPerSecond,
      long needed,
      long loopNanos,
      ReportTime time,
      ClockBound clockBound) {
    this(
        demandPerSecond,
        SteadyDemand.of(steadyPerSecond),
        Need.of(needed),
        loopNanos,
        time,
        clockBound,
        List.of());
  }

  /** Permits per second that it has asked for without a break for a while. */
  public double steadyPerSecond() {
    return steady.perSecond();
  }

  /** Permits that its requests lack. */
  public long needed() {
    return need.permits();
  }

  /** Nothing was reported until now. */
  static LastReport none(long now) {
    return new LastReport(0, 0, 0, 0, ReportTime.came(now), ClockBound.NONE);
  }

  /**
   * The next one.
   *
   * @param asked permits that were asked for since this one, given or refused
   * @param newClasses of demand and need, the part of each class
   * @param cutCostsNanos time for which the use that a smaller share leaves behind is missing; 0
   *     for none
   */
  LastReport then(
      double demand,
      long asked,
      Need newNeed,
      long newLoop,
      ReportTime newTime,
      ClockBound newBound,
      List<ClassReport> newClasses,
      long cutCostsNanos) {
    long elapsedNanos = time.until(newTime);
    double sinceNanos = Math.min(SEEN_NANOS, elapsedNanos);
    long cost = newNeed.cost().typical();
    double counted = CountedDemand.perSecond(demand, asked, newNeed.cost(), elapsedNanos);
    // A share cannot be had back at once: only what is served first is sure to be used.
    double first =
        newClasses.isEmpty() ? counted : Math.min(counted, newClasses.get(0).perSecond());
    double usual = first > steadyPerSecond() ? RISES_NANOS : FALLS_NANOS;
    double over =
        cutCostsNanos == 0 ? usual : Math.max(usual, toTellNanos(first, cost, cutCostsNanos));
    SteadyDemand next = steady.then(first, cost, Math.min(1, sinceNanos / over), elapsedNanos);
    return new LastReport(
        demand,
        next,
        newNeed,
        newLoop,
        demand > 0 || next.isPaused() ? time.then(newTime) : ReportTime.came(newTime.atNanos()),
        newBound,
        newClasses);
  }

  /**
   * Time for which the use that a smaller share leaves behind is missing, as far as that counts; 0
   * for none. Where use slides out of a window, what a share that is cut has used is charged anew,
   * for a whole period. A short one is not worth a share that others lack for longer, unless they
   * are of a later class.
   */
  static long cutCostsNanos(Limit limit, boolean hasClasses) {
    boolean isLong = hasClasses || limit.periodNanos() > RISES_NANOS;
    return isLong && limit.renewal() instanceof RenewalTerms.Slots ? limit.periodNanos() : 0;
  }

  private double toTellNanos(double first, long cost, long cutCostsNanos) {
    double requests = Math.max(first, steadyPerSecond()) / cost;
    double even = EVEN * NANOS_PER_SECOND / Math.max(1, requests);
    return Math.max(cutCostsNanos, Math.min(LONGEST_NANOS, even));
  }

  /** With no more permits per second that count as asked for steadily. */
  LastReport steadyAtMost(double perSecond) {
    return with(steady.atMost(perSecond));
  }

  /** What comes back is taken for new. */
  LastReport withoutPause() {
    return steady.isPaused() ? with(SteadyDemand.of(steady.perSecond())) : this;
  }

  private LastReport with(SteadyDemand other) {
    return new LastReport(demandPerSecond, other, need, loopNanos, time, clockBound, classes);
  }

  LastReport withClockBound(ClockBound newer) {
    return new LastReport(demandPerSecond, steady, need, loopNanos, time, newer, classes);
  }
}
