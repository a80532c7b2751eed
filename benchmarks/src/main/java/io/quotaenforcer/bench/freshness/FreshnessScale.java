package io.quotaenforcer.bench.freshness;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * How long is measured.
 *
 * @param instances how many of them, run by run
 * @param warmUpSeconds of each run, before it counts
 * @param seconds of each run that count
 * @param settleSeconds from the last request of instances until they count as idle
 * @param idleSeconds without a request, that count
 */
record FreshnessScale(
    List<Integer> instances, int warmUpSeconds, int seconds, int settleSeconds, int idleSeconds) {
  static final int KEYS = 2;

  /** The number that {@code quota topics create} makes by default. */
  static final int PARTITIONS = 16;

  /** Requests of each instance for each key. */
  static final int REQUESTS_PER_SECOND = 200;

  static final int IDLE_INSTANCES = 16;

  static final FreshnessScale FULL = new FreshnessScale(List.of(1, 4, 16), 30, 60, 60, 60);
  static final FreshnessScale QUICK = new FreshnessScale(List.of(1, 4), 2, 3, 2, 3);

  FreshnessScale withInstances(List<Integer> others) {
    return new FreshnessScale(others, warmUpSeconds, seconds, settleSeconds, idleSeconds);
  }

  FreshnessScale withWarmUp(int warmUp) {
    return new FreshnessScale(instances, warmUp, seconds, settleSeconds, idleSeconds);
  }

  /** With what is the same at every scale. */
  record Described(
      @JsonUnwrapped FreshnessScale scale,
      int idleInstances,
      int quotaKeys,
      int partitions,
      int requestsPerSecondOfEachInstanceAndKey,
      String otherwise) {}

  Described describe() {
    return new Described(
        this,
        IDLE_INSTANCES,
        KEYS,
        PARTITIONS,
        REQUESTS_PER_SECOND,
        "one stream thread, default settings, with share.term=0 and with shares; balanced, a sliding"
            + " window of 1 s, a quarter more than is asked for; broker, enforcer and instances in the process that measures");
  }
}
