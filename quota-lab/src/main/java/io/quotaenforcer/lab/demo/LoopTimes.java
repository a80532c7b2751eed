package io.quotaenforcer.lab.demo;

/** Duration of one loop, from report to answer, in milliseconds. */
public record LoopTimes(double p50, double p99) {
  private static final double NANOS_PER_MILLI = 1e6;

  /** 99 of 100 took no longer. */
  long p99Nanos() {
    return Math.round(p99 * NANOS_PER_MILLI);
  }
}
