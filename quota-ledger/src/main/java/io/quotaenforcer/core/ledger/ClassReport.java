package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.ClassDemand;
import java.util.ArrayList;
import java.util.List;

/**
 * A holder's latest report on one class of its requests.
 *
 * @param usedLately permits that it asked for in the window of the report; of a limit that slides,
 *     within about the last period: as if what was asked for faded away exponentially. No more than
 *     the limit has, since requests that were refused are asked for, too
 */
public record ClassReport(double perSecond, long needed, double usedLately) {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * From one report of a holder to the next.
   *
   * @param fromNanos enforcer time when the one before came
   * @param toNanos when this one did
   * @param nanos time between them for the holder
   */
  record Span(long fromNanos, long toNanos, long nanos) {}

  /**
   * The next reports of a holder's classes.
   *
   * @param before those before, of as many classes or of none
   */
  static List<ClassReport> then(
      List<ClassReport> before, List<ClassDemand> demands, Span span, Limit limit) {
    List<ClassReport> next = new ArrayList<>(demands.size());
    for (int i = 0; i < demands.size(); i++) {
      ClassDemand demand = demands.get(i);
      double used = before.size() == demands.size() ? before.get(i).used(span, limit) : 0;
      next.add(
          new ClassReport(
              PermitCount.reported(demand.perSecond()),
              PermitCount.reported(demand.needed()),
              Math.min(used, limit.capacity())));
    }
    return next;
  }

  /** {@link #usedLately} at the end of a span in which as much was asked for as before. */
  private double used(Span span, Limit limit) {
    if (renewsAtOnce(limit)) {
      long window = limit.windowStart(span.toNanos);
      return span.fromNanos < window
          ? perSecond * Math.min(span.nanos, span.toNanos - window) / NANOS_PER_SECOND
          : usedLately + perSecond * span.nanos / NANOS_PER_SECOND;
    }
    double inAPeriod =
        Math.min(limit.capacity(), perSecond * limit.periodNanos() / NANOS_PER_SECOND);
    double faded = 1 - Math.exp(-(double) span.nanos / limit.periodNanos());
    return usedLately + (inAPeriod - usedLately) * faded;
  }

  /** Whether all of a limit comes at the end of a window, or of the interval of a bucket. */
  static boolean renewsAtOnce(Limit limit) {
    return limit instanceof WindowedLimit || limit.renewal() instanceof RenewalTerms.Refills;
  }
}
