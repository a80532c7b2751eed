package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.message.ClassDemand;
import java.util.ArrayList;
import java.util.List;

/**
 * A holder's latest report on one class of its requests.
 *
 * @param usedLately permits that it asked for within about the last period of the limit: as if what
 *     was asked for faded away exponentially
 */
public record ClassReport(double perSecond, long needed, double usedLately) {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * The next reports of a holder's classes.
   *
   * @param before those before, of as many classes or of none
   * @param sinceNanos time between them
   */
  static List<ClassReport> then(
      List<ClassReport> before, List<ClassDemand> demands, long sinceNanos, long periodNanos) {
    List<ClassReport> next = new ArrayList<>(demands.size());
    double faded = 1 - Math.exp(-(double) sinceNanos / periodNanos);
    for (int i = 0; i < demands.size(); i++) {
      ClassDemand demand = demands.get(i);
      ClassReport known = before.size() == demands.size() ? before.get(i) : null;
      double used = known == null ? 0 : known.usedLately;
      double inAPeriod = known == null ? 0 : known.perSecond * periodNanos / NANOS_PER_SECOND;
      next.add(
          new ClassReport(
              PermitCount.reported(demand.perSecond()),
              PermitCount.reported(demand.needed()),
              used + (inAPeriod - used) * faded));
    }
    return next;
  }
}
