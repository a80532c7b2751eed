package io.quotaenforcer.core.deferral;

import io.quotaenforcer.core.algorithm.Limit;

/**
 * A leaky bucket as a queue (Turner, New Directions in Communications, 1986): requests leave one
 * after the other, a permit per {@code period / permits}, where a period is the window in force.
 */
public final class SteadyRelease {
  private SteadyRelease() {}

  /**
   * When the request after this one may leave.
   *
   * @param due when this one was to leave, epoch nanoseconds
   * @param lateNanos that late a request may leave without the ones after it leaving late, too
   */
  public static long after(Limit limit, long cost, long due, long lateNanos, long now) {
    double interval = (double) limit.windowNanos(now) / Math.max(1, limit.permits());
    return Math.max(due, now - lateNanos) + (long) (cost * interval);
  }
}
