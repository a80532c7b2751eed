package io.quotaenforcer.bench.fleet;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.lab.verdict.KeyUse;
import io.quotaenforcer.lab.verdict.VerdictTerms;

/**
 * Admissions of one quota key beyond its limit: a permit of a window counts in that window, another
 * where the limit's algorithm, which saw all that fitted before, has no room for it.
 */
public final class Excess {
  private final Limit limit;
  private final KeyUse fitting;
  private long window = Long.MIN_VALUE;
  private long inWindow;
  private long inWindowBefore;

  private Excess(Limit limit, KeyUse fitting) {
    this.limit = limit;
    this.fitting = fitting;
  }

  /** The excess over the limit as one process would keep it. */
  public static Excess undivided(Limit limit, long startNanos) {
    return new Excess(limit, KeyUse.undivided(limit, startNanos));
  }

  /**
   * The excess over parts of the limit, whose holders know its borders to within the tolerance of
   * labels.
   */
  public static Excess divided(Limit limit, long startNanos) {
    long tolerance = VerdictTerms.LABEL_TOLERANCE_NANOS;
    return new Excess(limit, KeyUse.divided(limit, startNanos, tolerance));
  }

  /**
   * Whether an admitted request is over the limit.
   *
   * @param windowStartNanos window that its permit belongs to; 0: the one of its time
   */
  public boolean isOver(long atNanos, long windowStartNanos) {
    return limit instanceof WindowedLimit
        ? isOverInWindow(windowStartNanos == 0 ? limit.windowStart(atNanos) : windowStartNanos)
        : !fitting.take(1, atNanos);
  }

  private boolean isOverInWindow(long start) {
    if (start < window) {
      return ++inWindowBefore > limit.permits();
    }
    if (start > window) {
      inWindowBefore = limit.windowEnd(window) == start ? inWindow : 0;
      window = start;
      inWindow = 0;
    }
    return ++inWindow > limit.permits();
  }
}
