package io.quotaenforcer.lab.runlog;

import java.util.OptionalLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Durations on a clock that runs {@code speed} times as fast as this machine's. */
final class LogTimes {
  private static final long MAX_MICROS = 60_000_000;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final double MICROS_PER_SECOND = 1e6;

  private final long speed;
  private final Histogram realMicros = new ConcurrentHistogram(MAX_MICROS, 3);

  LogTimes(long speed) {
    this.speed = speed;
  }

  void record(long logNanos) {
    long micros = logNanos / speed / NANOS_PER_MICRO;
    realMicros.recordValue(Math.min(MAX_MICROS, Math.max(0, micros)));
  }

  /** Forgets all recorded values. */
  void reset() {
    realMicros.reset();
  }

  /** Percentile in nanoseconds of the log's time; empty without values. */
  OptionalLong logNanos(double percent) {
    return realMicros.getTotalCount() == 0
        ? OptionalLong.empty()
        : OptionalLong.of(realMicros.getValueAtPercentile(percent) * NANOS_PER_MICRO * speed);
  }

  /** The longest, in nanoseconds of the log's time; 0 without any. */
  long longestLogNanos() {
    return realMicros.getMaxValue() * NANOS_PER_MICRO * speed;
  }

  /** Percentile in seconds of the log's time; 0 without values. */
  double logSeconds(double percent) {
    return realMicros.getValueAtPercentile(percent) * speed / MICROS_PER_SECOND;
  }
}
