package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;

/**
 * Premises of a verdict.
 *
 * @param instances instances that decided, each with one epoch
 * @param maxInstances divisor of a shared opening
 * @param labelToleranceNanos how far a stamp may lie outside the window of its permit
 * @param sliceNanos length of the slices of time in which demand is measured, aligned to the epoch
 */
public record VerdictTerms(
    int instances, int maxInstances, long labelToleranceNanos, long sliceNanos) {
  /** 100 ms: the promised bound on the difference between label and stamp. */
  public static final long LABEL_TOLERANCE_NANOS = 100_000_000L;

  /** 50 ms: about a loop. */
  public static final long SLICE_NANOS = 50_000_000L;

  /**
   * Periods of an instance's idea of the enforcer's clock that one of true time may overlap, since
   * that idea is a little off and may change.
   */
  private static final long PERIODS_IN_ONE = 3;

  public VerdictTerms {
    if (instances < 1) {
      throw new IllegalArgumentException("must be >= 1: instances=" + instances);
    }
    if (maxInstances < 1) {
      throw new IllegalArgumentException("must be >= 1: maxInstances=" + maxInstances);
    }
    if (labelToleranceNanos < 0) {
      throw new IllegalArgumentException(
          "must be >= 0: labelToleranceNanos=" + labelToleranceNanos);
    }
    if (sliceNanos < 1) {
      throw new IllegalArgumentException("must be >= 1: sliceNanos=" + sliceNanos);
    }
  }

  public static VerdictTerms of(int instances, int maxInstances) {
    return new VerdictTerms(instances, maxInstances, LABEL_TOLERANCE_NANOS, SLICE_NANOS);
  }

  /** The same terms for a clock that runs {@code speed} times as fast. */
  public VerdictTerms scaled(long speed) {
    return new VerdictTerms(
        instances, maxInstances, labelToleranceNanos * speed, sliceNanos * speed);
  }

  /** Most permits over the limit in one window of one key, for any demand. */
  public long worstCase(Rule rule, Limit limit) {
    return Bound.connected(rule, limit, instances, maxInstances);
  }

  /**
   * Most permits over the limit in one window of one key with this demand. For a balanced rule, the
   * demand in one loop: the busiest slice, times the slices that a loop can touch.
   *
   * @param mostInASlice demand for the key in its busiest slice, in permits
   * @param loopNanos time from report to answer
   */
  public long expected(Rule rule, Limit limit, long mostInASlice, long loopNanos) {
    long worstCase = worstCase(rule, limit);
    if (rule.enforcement() != Enforcement.BALANCED) {
      return worstCase;
    }
    long slices = 1 + Math.floorDiv(loopNanos + sliceNanos - 1, sliceNanos);
    return mostInASlice > worstCase / slices ? worstCase : mostInASlice * slices;
  }

  /**
   * Most permits that an instance may open of one key in one period of true time; in a window, by
   * its label.
   */
  public long opening(Rule rule, Limit limit) {
    if (rule.enforcement() != Enforcement.BALANCED) {
      return 0;
    }
    long inAPeriod = rule.opening().inAPeriod(limit, maxInstances);
    return limit instanceof WindowedLimit ? inAPeriod : PERIODS_IN_ONE * inAPeriod;
  }
}
