package io.quotaenforcer.bench.topology;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What it costs at one size.
 *
 * @param microsPerUpdate processor time of the enforcer for each cell update
 * @param updateNanos50 time that half of the ledger updates take at most, without the commit
 * @param updateNanos99 time that 99 of 100 ledger updates take at most, without the commit
 * @param recordsUp of reports, for each request
 * @param bytesUp of reports, for each request
 * @param addressed what the broker keeps for the first instance
 * @param fetchedBytes what that instance reads to get it, by its consumer's own metric
 * @param requestsOfFirst that the first instance reported
 * @param beyondHeapMebibytes most memory of the enforcer, less the heap that it was given
 */
record GrowthResult(
    GrowthPoint point,
    double microsPerUpdate,
    double updatesPerSecond,
    long updateNanos50,
    long updateNanos99,
    double recordsUp,
    double bytesUp,
    Addressed addressed,
    double fetchedBytes,
    long requestsOfFirst,
    long beyondHeapMebibytes) {
  private static final double NANOS_PER_MICRO = 1e3;

  /** Snapshots for an instance: keys and values. */
  record Addressed(long records, long bytes) {}

  double update50Micros() {
    return updateNanos50 / NANOS_PER_MICRO;
  }

  double update99Micros() {
    return updateNanos99 / NANOS_PER_MICRO;
  }

  double bytesAddressedPerRequest() {
    return (double) addressed.bytes / requestsOfFirst;
  }

  double recordsAddressedPerRequest() {
    return (double) addressed.records / requestsOfFirst;
  }

  double bytesFetchedPerRequest() {
    return fetchedBytes / requestsOfFirst;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("keys", point.keys());
    json.put("instances", point.instances());
    json.put("updatesBefore", point.keys() + point.warmUp());
    json.put("updatesMeasured", point.updates());
    json.put("enforcerMicrosPerUpdate", microsPerUpdate);
    json.put("updatesPerSecond", updatesPerSecond);
    json.put("ledgerUpdateMicros50", update50Micros());
    json.put("ledgerUpdateMicros99", update99Micros());
    json.put("recordsUpPerRequest", recordsUp);
    json.put("bytesUpPerRequest", bytesUp);
    json.put("recordsDownPerRequest", recordsAddressedPerRequest());
    json.put("bytesAddressedPerRequest", bytesAddressedPerRequest());
    json.put("bytesFetchedPerRequest", bytesFetchedPerRequest());
    json.put("mebibytesBeyondHeap", beyondHeapMebibytes);
    return json;
  }
}
