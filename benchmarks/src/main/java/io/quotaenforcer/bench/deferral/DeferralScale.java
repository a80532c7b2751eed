package io.quotaenforcer.bench.deferral;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much is measured.
 *
 * @param requests that wait
 * @param keys quota keys that they wait for
 * @param idleSeconds in which idle ticks are recorded
 * @param outflowSeconds of releases whose shape is judged
 * @param restore whether enforcers are killed
 */
record DeferralScale(int requests, int keys, int idleSeconds, int outflowSeconds, boolean restore) {
  static final int PAYLOAD_BYTES = 1024;
  static final int PARTITIONS = 4;
  static final int HEAP_MEBIBYTES = 512;
  static final int ROCKSDB_MEBIBYTES = 256;

  /** A million requests of 100,000 quota keys. */
  static final DeferralScale FULL = new DeferralScale(1_000_000, 100_000, 30, 30, true);

  /** A tenth of it, in a minute: nobody is killed. */
  static final DeferralScale QUICK = new DeferralScale(100_000, 10_000, 5, 5, false);

  DeferralScale {
    check(requests >= 1, "must be >= 1: --requests=", requests);
    check(keys >= 1 && keys <= requests, "must be from 1 to the requests: --keys=", keys);
    check(outflowSeconds >= 1, "must be >= 1: --outflow-seconds=", outflowSeconds);
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("requests", requests);
    json.put("keys", keys);
    json.put("payloadBytes", PAYLOAD_BYTES);
    json.put("partitions", PARTITIONS);
    json.put("heapMebibytes", HEAP_MEBIBYTES);
    json.put("rocksdbMebibytes", ROCKSDB_MEBIBYTES);
    json.put("idleSeconds", idleSeconds);
    json.put("outflowSeconds", outflowSeconds);
    return json;
  }

  private static void check(boolean holds, String message, int value) {
    if (!holds) {
      throw new IllegalArgumentException(message + value);
    }
  }
}
