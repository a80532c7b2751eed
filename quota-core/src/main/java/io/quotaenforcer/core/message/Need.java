package io.quotaenforcer.core.message;

import io.quotaenforcer.core.PermitCount;

/**
 * Permits of one quota key that requests of an instance lack.
 *
 * @param permits that requests wait for now or that are owed, or the cost of the costliest refused
 *     request
 * @param costliest cost of the costliest request that waits, or was refused lately, since less is
 *     of no use to it; 0 where that is not known or 1
 */
public record Need(long permits, long costliest) {
  /** Nothing waits. */
  public static final Need NONE = new Need(0, 0);

  /** Of requests whose costs are not known. */
  public static Need of(long permits) {
    return permits == 0 ? NONE : new Need(permits, 0);
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
        : new Need(PermitCount.reported(permits), PermitCount.reported(costliest));
  }
}
