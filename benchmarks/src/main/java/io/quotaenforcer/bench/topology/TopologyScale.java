package io.quotaenforcer.bench.topology;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much is counted.
 *
 * @param keys quota keys
 * @param plainEvents events of the plain count
 * @param requestEvents events of the topology
 * @param cellUpdates that instances report
 */
record TopologyScale(int keys, int plainEvents, int requestEvents, int cellUpdates) {
  static final int PARTITIONS = 16;
  static final int THREADS = 2;
  static final int HEAP_MEBIBYTES = 1_024;
  static final int ROCKSDB_MEBIBYTES = 256;
  static final int PLAIN_CACHE_MEBIBYTES = 128;
  static final int COMMIT_MILLIS = 100;
  static final int INSTANCES = 4;
  static final int REQUESTS_PER_UPDATE = 100;

  /** Permits that an instance takes of a key at once: some reports tell of two such times. */
  static final int REQUESTS_AT_ONCE = REQUESTS_PER_UPDATE;

  static final TopologyScale FULL = new TopologyScale(100_000, 3_000_000, 2_000_000, 3_000_000);

  /** A minute in all: compilers take much of it. */
  static final TopologyScale QUICK = new TopologyScale(10_000, 200_000, 30_000, 100_000);

  TopologyScale {
    if (keys < 1) {
      throw new IllegalArgumentException("must be >= 1: --keys=" + keys);
    }
  }

  /** As many keys, and a part of all else. */
  TopologyScale times(double factor) {
    if (!(factor > 0 && factor <= 100)) {
      throw new IllegalArgumentException("must be above 0 and at most 100: --scale=" + factor);
    }
    return new TopologyScale(
        keys,
        (int) Math.ceil(plainEvents * factor),
        (int) Math.ceil(requestEvents * factor),
        (int) Math.ceil(cellUpdates * factor));
  }

  TopologyScale withKeys(int newKeys) {
    return new TopologyScale(newKeys, plainEvents, requestEvents, cellUpdates);
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("keys", keys);
    json.put("plainEvents", plainEvents);
    json.put("requestEvents", requestEvents);
    json.put("cellUpdates", cellUpdates);
    json.put("requestsAtOnce", REQUESTS_AT_ONCE);
    json.put("reportingInstances", INSTANCES);
    json.put("partitions", PARTITIONS);
    json.put("streamThreads", THREADS);
    json.put("processingGuarantee", "exactly_once_v2");
    json.put("commitIntervalMillis", COMMIT_MILLIS);
    json.put("heapMebibytes", HEAP_MEBIBYTES);
    return json;
  }
}
