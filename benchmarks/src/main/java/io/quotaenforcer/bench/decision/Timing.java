package io.quotaenforcer.bench.decision;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The cost of one limiter in one case.
 *
 * @param threads that asked at once, as often as they could
 * @param nanos of one request, for the thread that asks
 * @param rawNanos the same, of each iteration
 * @param processorNanos of one request, in the iteration in which it was least; NaN if not known
 * @param bytes allocated per request
 * @param unexpectedShare of requests that were throttled where they were to be admitted, or the
 *     reverse
 */
record Timing(
    @JsonUnwrapped Measured measured,
    int threads,
    double nanos,
    List<Double> rawNanos,
    double processorNanos,
    double bytes,
    double unexpectedShare) {

  /** More than this, and something else was timed than the case. */
  static final double MOST_UNEXPECTED = 0.01;

  Timing {
    rawNanos = List.copyOf(rawNanos);
  }

  /** Whether nearly all requests took the path of the case. */
  @JsonProperty("valid")
  boolean isValid() {
    return unexpectedShare <= MOST_UNEXPECTED;
  }
}
