package io.quotaenforcer.bench.fleet;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.WindowedLimit;

/**
 * What was admitted of one quota key beyond its limit: a permit of a window counts in that window,
 * another where the limit's algorithm, which saw all that fitted before, has no room for it.
 */
public final class Excess {
  private final Limit limit;
  private LimitState fitting;
  private long window = Long.MIN_VALUE;
  private long inWindow;
  private long inWindowBefore;

  public Excess(Limit limit, long startNanos) {
    this.limit = limit;
    this.fitting = limit.initial(startNanos);
  }

  /**
   * Whether an admitted request is over the limit.
   *
   * @param windowStartNanos window that its permit belongs to; 0: the one of its time
   */
  public boolean isOver(long atNanos, long windowStartNanos) {
    return limit instanceof WindowedLimit
        ? isOverInWindow(windowStartNanos == 0 ? limit.windowStart(atNanos) : windowStartNanos)
        : !fits(atNanos);
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

  private boolean fits(long atNanos) {
    LimitState now = limit.advance(fitting, atNanos);
    boolean fits = limit.available(now, atNanos) >= 1;
    fitting = fits ? limit.book(now, 1, atNanos) : now;
    return fits;
  }
}
