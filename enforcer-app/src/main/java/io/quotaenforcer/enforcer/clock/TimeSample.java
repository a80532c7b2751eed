package io.quotaenforcer.enforcer.clock;

import java.util.List;
import java.util.stream.LongStream;

/**
 * One broker's time, and this process's monotonic clock before it was asked and after it answered.
 *
 * @param brokerMillis milliseconds since 1970-01-01T00:00Z
 */
record TimeSample(long beforeNanos, long afterNanos, long brokerMillis) {
  private static final long MILLI = 1_000_000L;

  /**
   * Certain lead of a clock over the broker's, negative if it is behind; 0 if the two may agree.
   *
   * @param offsetNanos of that clock to the monotonic one
   */
  long differenceOf(long offsetNanos) {
    long ahead = beforeNanos + offsetNanos - (brokerMillis + 1) * MILLI;
    long behind = brokerMillis * MILLI - (afterNanos + offsetNanos);
    return ahead > 0 ? ahead : behind > 0 ? -behind : 0;
  }

  /** The median of all differences: a broker whose own clock is wrong is outvoted by two others. */
  static long difference(List<TimeSample> samples, long offsetNanos) {
    long[] sorted =
        samples.stream()
            .flatMapToLong(sample -> LongStream.of(sample.differenceOf(offsetNanos)))
            .sorted()
            .toArray();
    int middle = sorted.length / 2;
    long upper = sorted[middle];
    long lower = sorted[sorted.length - 1 - middle];
    return Math.abs(lower) < Math.abs(upper) ? lower : upper;
  }
}
