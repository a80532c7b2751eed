package io.quotaenforcer.bench.decision;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one limiter cost in one case.
 *
 * @param threads that asked at once, as often as they could
 * @param nanos of one request, for the thread that asks
 * @param rawNanos the same, of each iteration
 * @param bytes allocated per request
 * @param unexpectedShare of requests that were throttled where they were to be admitted, or the
 *     reverse
 */
record Timing(
    Measured measured,
    int threads,
    double nanos,
    List<Double> rawNanos,
    double bytes,
    double unexpectedShare) {

  /** More than this, and something else was timed than the case. */
  static final double MOST_UNEXPECTED = 0.01;

  Timing {
    rawNanos = List.copyOf(rawNanos);
  }

  /** Whether nearly all requests took the path of the case. */
  boolean isValid() {
    return unexpectedShare <= MOST_UNEXPECTED;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("case", measured.group().title());
    json.put("subject", measured.subject());
    json.put("peer", measured.peer());
    json.put("threads", threads);
    json.put("nanos", nanos);
    json.put("rawNanos", rawNanos);
    json.put("bytes", bytes);
    json.put("unexpectedShare", unexpectedShare);
    json.put("valid", isValid());
    return json;
  }
}
