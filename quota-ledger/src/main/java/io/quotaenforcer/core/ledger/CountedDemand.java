package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.DemandFall;
import io.quotaenforcer.core.message.RequestCost;

/**
 * Demand by what was asked for from one report to the next. A holder measures its demand over a
 * tenth of a second and reports when requests come: so one who has a request in a second reports
 * several a second, each time.
 */
final class CountedDemand {
  private static final double NANOS_PER_SECOND = 1e9;

  /** In a shorter time a count says less than what the holder measured. */
  private static final double LEAST_NANOS = 0.2e9;

  /**
   * A holder with more requests in that time measures well by itself, and knows of its own pauses,
   * which a count takes for a fall.
   */
  private static final double MOST_REQUESTS = 10;

  private CountedDemand() {}

  /**
   * Permits per second that were asked for, as far as they are still asked for.
   *
   * @param reported permits per second, as the holder measured
   * @param asked permits, given or refused, since the report before
   * @param cost of its requests
   * @param sinceNanos time since then
   */
  static double perSecond(double reported, long asked, RequestCost cost, double sinceNanos) {
    if (sinceNanos < LEAST_NANOS || reported <= 0) {
      return reported;
    }
    double counted = asked * NANOS_PER_SECOND / sinceNanos;
    boolean isOften = reported / cost.mean() * LEAST_NANOS / NANOS_PER_SECOND > MOST_REQUESTS;
    boolean wasPaused = isOften && DemandFall.isMoreThanChance(reported, counted, cost.typical());
    return wasPaused || DemandFall.isMoreThanChance(counted, reported, cost.typical())
        ? reported
        : counted;
  }
}
