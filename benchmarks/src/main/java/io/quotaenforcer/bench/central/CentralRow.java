package io.quotaenforcer.bench.central;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one way to decide did with so many threads.
 *
 * @param nanos in which it was done
 * @param p50Nanos of one decision; where several were timed together, of their mean
 * @param p99Nanos the same
 * @param admittedShare from 0 to 1
 */
record CentralRow(
    CentralCase of,
    int threads,
    long decisions,
    long nanos,
    double p50Nanos,
    double p99Nanos,
    double admittedShare) {
  private static final double NANOS_PER_SECOND = 1e9;

  static CentralRow of(CentralCase measured, int threads, Tally tally, long nanos) {
    double each = measured.pace().decisionsTimed();
    return new CentralRow(
        measured,
        threads,
        tally.decisions(),
        nanos,
        tally.nanosAt(50) / each,
        tally.nanosAt(99) / each,
        tally.admittedShare());
  }

  double decisionsPerSecond() {
    return decisions * NANOS_PER_SECOND / nanos;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("case", of.name());
    json.put("threads", threads);
    json.put("timed", of.pace().timing());
    json.put("decisions", decisions);
    json.put("seconds", nanos / NANOS_PER_SECOND);
    json.put("decisionsPerSecond", decisionsPerSecond());
    json.put("p50Nanos", p50Nanos);
    json.put("p99Nanos", p99Nanos);
    json.put("admittedShare", admittedShare);
    return json;
  }
}
