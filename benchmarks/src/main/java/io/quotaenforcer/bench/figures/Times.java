package io.quotaenforcer.bench.figures;

import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/** Times in nanoseconds, of which a benchmark gives percentiles. */
public final class Times {
  private static final int DIGITS = 3;

  private Times() {}

  /** An empty one that takes any time, to three digits. */
  public static Histogram histogram() {
    return new Histogram(DIGITS);
  }

  public static Histogram of(LongStream nanos) {
    Histogram times = histogram();
    nanos.forEach(times::recordValue);
    return times;
  }

  /** All of them together. */
  public static Histogram sum(Iterable<Histogram> parts) {
    Histogram all = histogram();
    parts.forEach(all::add);
    return all;
  }

  /** The time that {@code percent} of all do not exceed, in milliseconds; 0 if there are none. */
  public static double millis(Histogram times, double percent) {
    return times.getValueAtPercentile(percent) / 1e6;
  }

  /** Like {@link #millis}, in microseconds. */
  public static double micros(Histogram times, double percent) {
    return times.getValueAtPercentile(percent) / 1e3;
  }
}
