package io.quotaenforcer.bench.central;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/** What threads measured together. Safe for use by any number of threads. */
final class Tally {
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final int DIGITS = 3;

  private final ConcurrentHistogram nanos = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
  private final LongAdder decisions = new LongAdder();
  private final LongAdder admitted = new LongAdder();

  /** So long one timed piece of work took, whatever number of decisions it was. */
  void timed(long tookNanos) {
    nanos.recordValue(Math.min(LONGEST_NANOS, Math.max(1, tookNanos)));
  }

  void decided(long count, long ofThemAdmitted) {
    decisions.add(count);
    admitted.add(ofThemAdmitted);
  }

  long decisions() {
    return decisions.sum();
  }

  /** From 0 to 1. */
  double admittedShare() {
    return (double) admitted.sum() / decisions.sum();
  }

  long nanosAt(double percent) {
    return nanos.getValueAtPercentile(percent);
  }
}
