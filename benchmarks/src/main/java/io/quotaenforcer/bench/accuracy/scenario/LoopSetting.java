package io.quotaenforcer.bench.accuracy.scenario;

import com.fasterxml.jackson.annotation.JsonValue;

/** Report every so often, publish every so often, so long one way (log-normal, sigma 0.5). */
public record LoopSetting(int reportMillis, int publishMillis, int oneWayMillis) {
  public static final double SIGMA = 0.5;

  public long reportNanos() {
    return reportMillis * 1_000_000L;
  }

  public long publishNanos() {
    return publishMillis * 1_000_000L;
  }

  /** By how much an instance may be wrong about a border: half of a way. */
  public long borderNanos() {
    return oneWayMillis * 500_000L;
  }

  /** Time that a report and its answer are expected to take. */
  public double expectedMillis() {
    return 2 * oneWayMillis * Math.exp(SIGMA * SIGMA / 2) + publishMillis / 2.0;
  }

  @Override
  @JsonValue
  public String toString() {
    return reportMillis + "/" + publishMillis + "/" + oneWayMillis;
  }
}
