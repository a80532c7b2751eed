package io.quotaenforcer.core.message;

import io.quotaenforcer.core.PermitCount;

/**
 * Permits of one quota key that requests of an instance lack, and how large its requests are.
 *
 * @param permits that requests wait for now or that are owed, or the cost of the costliest refused
 *     request
 * @param costliest cost of the costliest request that waits, or was refused lately, since less is
 *     of no use to it; 0 where that is not known or 1
 * @param cost of its requests in general
 */
public record Need(long permits, long costliest, RequestCost cost) {
  /** Nothing waits. */
  public static final Need NONE = new Need(0, 0, RequestCost.ONE);

  /** Of requests whose costs are not known. */
  public static Need of(long permits) {
    return permits == 0 ? NONE : new Need(permits, 0, RequestCost.ONE);
  }

  /** The same of requests that cost so much. */
  public Need withCost(RequestCost newCost) {
    return new Need(permits, costliest, newCost);
  }

  /** The most that has to be granted at once, so that it is of any use. */
  public long whole() {
    return Math.min(permits, costliest);
  }

  /** Whether both are counts that an instance reports. */
  public boolean isReportable() {
    return PermitCount.isReportable(permits) && PermitCount.isReportable(costliest);
  }

  /** The same, with both cut to counts that an instance reports. */
  public Need reported() {
    return isReportable()
        ? this
        : new Need(PermitCount.reported(permits), PermitCount.reported(costliest), cost);
  }
}
