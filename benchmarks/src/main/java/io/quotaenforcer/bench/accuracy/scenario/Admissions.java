package io.quotaenforcer.bench.accuracy.scenario;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.WindowedLimit;

/** Admissions per window, and how many of them did not fit the limit. */
public final class Admissions {
  private final Limit limit;
  private final long[] admitted;
  private final long[] excess;
  private LimitState state;

  /**
   * @param windows most that are measured, from {@link Arrivals#START} on; two more may be counted
   */
  public Admissions(Limit limit, int windows) {
    this.limit = limit;
    admitted = new long[windows + 2];
    excess = new long[windows + 2];
    state = limit.initial(Arrivals.START);
  }

  /**
   * Counts an admission, whether it fits or not.
   *
   * @param windowStart window that its permit belongs to; 0: the one of its time
   */
  public void add(long at, long windowStart) {
    int window =
        (int) (((windowStart == 0 ? at : windowStart) - Arrivals.START) / limit.periodNanos());
    admitted[window]++;
    if (limit instanceof WindowedLimit) {
      excess[window] += admitted[window] > limit.permits() ? 1 : 0;
    } else if (!take(at)) {
      excess[window]++;
    }
  }

  /** Admits if it fits, and says so: what one process would do. */
  public boolean offer(long at) {
    boolean fits = take(at);
    if (fits) {
      admitted[(int) ((at - Arrivals.START) / limit.periodNanos())]++;
    }
    return fits;
  }

  /** Admissions of these windows that the limit allows. */
  public long within(int fromWindow, int toWindow) {
    long sum = 0;
    for (int i = fromWindow; i < toWindow; i++) {
      sum += admitted[i] - excess[i];
    }
    return sum;
  }

  /** Admissions of these windows over the limit. */
  public long excess(int fromWindow, int toWindow) {
    long sum = 0;
    for (int i = fromWindow; i < toWindow; i++) {
      sum += excess[i];
    }
    return sum;
  }

  /** Most of them in one window. */
  public long worstExcess(int fromWindow, int toWindow) {
    long worst = 0;
    for (int i = fromWindow; i < toWindow; i++) {
      worst = Math.max(worst, excess[i]);
    }
    return worst;
  }

  private boolean take(long at) {
    state = limit.advance(state, at);
    if (limit.available(state, at) < 1) {
      return false;
    }
    state = limit.book(state, 1, at);
    return true;
  }
}
