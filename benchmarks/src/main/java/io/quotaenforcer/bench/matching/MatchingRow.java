package io.quotaenforcer.bench.matching;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What matching costs with so many rules.
 *
 * @param nanos for one request, by the index
 * @param bytes allocated for one request
 * @param matches rules that match a request, on average
 * @param scanNanos for one request, when every rule is tried
 * @param indexMillis to make the index
 */
record MatchingRow(
    int rules, double nanos, double bytes, double matches, double scanNanos, double indexMillis) {

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("rules", rules);
    json.put("nanosPerMatch", nanos);
    json.put("bytesPerMatch", bytes);
    json.put("rulesThatMatch", matches);
    json.put("scanNanosPerMatch", scanNanos);
    json.put("indexMillis", indexMillis);
    return json;
  }
}
