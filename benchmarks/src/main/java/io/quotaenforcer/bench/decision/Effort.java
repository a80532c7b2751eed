package io.quotaenforcer.bench.decision;

import java.util.Map;

/**
 * How long everything is timed, in each of the JVMs that are started for it.
 *
 * @param warmUps iterations before the first that counts
 * @param iterations that count
 * @param iterationMillis of each
 * @param batches that are timed where only so many requests can be timed together, and as many to
 *     warm up
 */
record Effort(int warmUps, int iterations, int iterationMillis, int batches) {
  static final Effort FULL = new Effort(4, 5, 500, 20);
  static final Effort QUICK = new Effort(3, 2, 150, 5);

  Map<String, Object> toJson() {
    return Map.of(
        "warmUps",
        warmUps,
        "iterations",
        iterations,
        "iterationMillis",
        iterationMillis,
        "batches",
        batches);
  }
}
