package io.quotaenforcer.lab.verdict;

/** The highest demand for one quota key in one slice of time, in permits. */
final class LoopDemand {
  private long slice = Long.MIN_VALUE;
  private long inSlice;
  private long most;

  /** Not before the one before. */
  void add(long stampNanos, long cost, long sliceNanos) {
    long at = Math.floorDiv(stampNanos, sliceNanos);
    inSlice = at == slice ? inSlice + cost : cost;
    slice = at;
    most = Math.max(most, inSlice);
  }

  long most() {
    return most;
  }
}
