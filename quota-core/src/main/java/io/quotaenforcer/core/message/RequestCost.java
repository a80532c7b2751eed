package io.quotaenforcer.core.message;

import io.quotaenforcer.core.PermitCount;

/**
 * What the requests of an instance for one quota key cost, admitted or not, in permits; 1 and 1
 * where that is not known.
 *
 * @param mean over requests: what the next one is likely to cost
 * @param typical over permits, each with the cost of the request that asks for it: the sum of
 *     squared costs by the sum of costs. A Poisson stream of requests of different costs is as
 *     uneven as one of as many permits in requests of this cost (a compound Poisson process)
 */
public record RequestCost(long mean, long typical) {
  /** Each request costs one permit, or nothing is known of them. */
  public static final RequestCost ONE = new RequestCost(1, 1);

  public RequestCost {
    if (mean < 1 || typical < 1) {
      throw new IllegalArgumentException(
          "must cost a permit: mean=%d typical=%d".formatted(mean, typical));
    }
  }

  /** Whether requests cost about the same, so that less than the mean is of no use to the next. */
  public boolean isEven() {
    return typical < 2 * mean;
  }

  /** As it is told: with 0 for what is not known, and anything that nobody may tell. */
  public static RequestCost told(long mean, long typical) {
    return mean <= 1 && typical <= 1 ? ONE : new RequestCost(bounded(mean), bounded(typical));
  }

  private static long bounded(long permits) {
    return Math.max(1, Math.min(permits, PermitCount.MAX_COST));
  }

  /** Cut to what a limit has room for at once: requests that cost more never get any. */
  public RequestCost atMost(long capacity) {
    return mean <= capacity && typical <= capacity
        ? this
        : told(Math.min(mean, capacity), Math.min(typical, capacity));
  }
}
