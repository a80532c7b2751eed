package io.quotaenforcer.bench.freshness;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  /** As {@code quota topics create} makes them by default. */
  static final int PARTITIONS = 16;

  /** Of each instance, for each key. */
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

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("instances", instances);
    json.put("warmUpSeconds", warmUpSeconds);
    json.put("seconds", seconds);
    json.put("idleInstances", IDLE_INSTANCES);
    json.put("settleSeconds", settleSeconds);
    json.put("idleSeconds", idleSeconds);
    json.put("quotaKeys", KEYS);
    json.put("partitions", PARTITIONS);
    json.put("streamThreads", 1);
    json.put("requestsPerSecondOfEachInstanceAndKey", REQUESTS_PER_SECOND);
    json.put("rule", "balanced, sliding window of 1 s, a quarter more than is asked for");
    json.put("where", "broker, enforcer and instances in the process that measures");
    json.put("settings", "defaults");
    return json;
  }
}
