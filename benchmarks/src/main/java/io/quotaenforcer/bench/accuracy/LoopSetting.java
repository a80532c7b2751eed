package io.quotaenforcer.bench.accuracy;

/** Report every so often, publish every so often, so long one way (log-normal, sigma 0.5). */
record LoopSetting(int reportMillis, int publishMillis, int oneWayMillis) {
  static final double SIGMA = 0.5;

  long reportNanos() {
    return reportMillis * 1_000_000L;
  }

  long publishNanos() {
    return publishMillis * 1_000_000L;
  }

  /** Time that a report and its answer are expected to take. */
  double expectedMillis() {
    return 2 * oneWayMillis * Math.exp(SIGMA * SIGMA / 2) + publishMillis / 2.0;
  }

  @Override
  public String toString() {
    return reportMillis + "/" + publishMillis + "/" + oneWayMillis;
  }
}
