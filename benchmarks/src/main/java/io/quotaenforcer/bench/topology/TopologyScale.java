package io.quotaenforcer.bench.topology;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Duration;

/**
 * How much is counted.
 *
 * @param keys quota keys
 * @param instances that report
 * @param plainEvents events of the plain count
 * @param requestEvents events of the topology
 * @param cellUpdates that instances report
 */
record TopologyScale(
    int keys,
    @JsonProperty("reportingInstances") int instances,
    int plainEvents,
    int requestEvents,
    int cellUpdates) {
  static final int PARTITIONS = 16;
  static final int THREADS = 2;
  static final int HEAP_MEBIBYTES = 1_024;
  static final int ROCKSDB_MEBIBYTES = 256;
  static final int PLAIN_CACHE_MEBIBYTES = 128;
  static final int COMMIT_MILLIS = 100;
  static final int MOST_INSTANCES = 100;

  /** The lease of an enforcer with default settings. */
  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(2);

  static final int REQUESTS_PER_UPDATE = 100;

  /** Permits that an instance takes of a key at once: some reports tell of two such times. */
  static final int REQUESTS_AT_ONCE = REQUESTS_PER_UPDATE;

  /**
   * From one report on a key to the next, which are some seconds apart here, and not some
   * milliseconds as where a key is in use all the time. Grants begin so long after a rule.
   */
  private static final Duration LONG_LEASE = Duration.ofMinutes(1);

  private static final int UPDATES_OF_A_MINUTE = 1_000_000;

  static final TopologyScale FULL = new TopologyScale(100_000, 4, 3_000_000, 2_000_000, 3_000_000);

  /** A minute in all: compilers take much of it. */
  static final TopologyScale QUICK = new TopologyScale(10_000, 4, 200_000, 30_000, 100_000);

  TopologyScale {
    if (keys < 1) {
      throw new IllegalArgumentException("must be >= 1: --keys=" + keys);
    }
    if (instances < 1 || instances > MOST_INSTANCES) {
      throw new IllegalArgumentException(
          "must be from 1 to %d: --instances=%d".formatted(MOST_INSTANCES, instances));
    }
  }

  /** The same number of keys, and a part of all else. */
  TopologyScale times(double factor) {
    if (!(factor > 0 && factor <= 100)) {
      throw new IllegalArgumentException("must be above 0 and at most 100: --scale=" + factor);
    }
    return new TopologyScale(
        keys,
        instances,
        (int) Math.ceil(plainEvents * factor),
        (int) Math.ceil(requestEvents * factor),
        (int) Math.ceil(cellUpdates * factor));
  }

  /** How long permits are leased to instances. A short run would be over before grants begin. */
  Duration lease() {
    return cellUpdates < UPDATES_OF_A_MINUTE ? DEFAULT_LEASE : LONG_LEASE;
  }

  TopologyScale withKeys(int newKeys) {
    return new TopologyScale(newKeys, instances, plainEvents, requestEvents, cellUpdates);
  }

  TopologyScale withInstances(int others) {
    return new TopologyScale(keys, others, plainEvents, requestEvents, cellUpdates);
  }

  /** With what is the same at every scale. */
  record Described(
      @JsonUnwrapped TopologyScale scale,
      int requestsAtOnce,
      int partitions,
      int streamThreads,
      long leaseMillis,
      String processingGuarantee,
      int commitIntervalMillis,
      int heapMebibytes) {}

  Described describe() {
    return new Described(
        this,
        REQUESTS_AT_ONCE,
        PARTITIONS,
        THREADS,
        lease().toMillis(),
        "exactly_once_v2",
        COMMIT_MILLIS,
        HEAP_MEBIBYTES);
  }
}
