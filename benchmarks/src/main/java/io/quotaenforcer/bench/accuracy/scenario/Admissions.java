package io.quotaenforcer.bench.accuracy.scenario;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.lab.verdict.KeyUse;

/** Admissions per window, and how many of them did not fit the limit. */
public final class Admissions {
  private final Limit limit;
  private final long[] admitted;
  private final long[] excess;
  private final KeyUse use;

  private Admissions(Limit limit, KeyUse use, int windows) {
    this.limit = limit;
    this.use = use;
    admitted = new long[windows + 2];
    excess = new long[windows + 2];
  }

  /**
   * By one process.
   *
   * @param windows most that are measured, from {@link Arrivals#START} on; two more may be counted
   */
  public static Admissions ofOne(Limit limit, int windows) {
    return new Admissions(limit, KeyUse.undivided(limit, Arrivals.START), windows);
  }

  /**
   * By instances, each of which keeps to the limit's borders as it knows them.
   *
   * @param borderNanos by how much they may be wrong about one
   */
  public static Admissions ofMany(Limit limit, int windows, long borderNanos) {
    return new Admissions(limit, KeyUse.divided(limit, Arrivals.START, borderNanos), windows);
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
    } else if (!use.take(1, at)) {
      excess[window]++;
    }
  }

  /** Admits if it fits, and says so: what one process would do. */
  public boolean offer(long at) {
    boolean fits = use.take(1, at);
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
}
