package io.quotaenforcer.enforcer.runlog;

import io.quotaenforcer.client.spi.ClientTelemetry;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Times from report to answer of all instances together, measured on a clock that is scaled. */
final class LogLoops implements ClientTelemetry {
  private static final long MAX_MICROS = 60_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private final long speed;
  private final Histogram realMicros = new ConcurrentHistogram(MAX_MICROS, 3);

  LogLoops(long speed) {
    this.speed = speed;
  }

  @Override
  public void answered(int partition, int quotas, long loopNanos) {
    long micros = loopNanos / speed / NANOS_PER_MICRO;
    realMicros.recordValue(Math.min(MAX_MICROS, Math.max(0, micros)));
  }

  /** Forgets what was measured so far. */
  void reset() {
    realMicros.reset();
  }

  /** Nanoseconds of this machine's time that half of the loops took less than; 0 without loops. */
  long medianNanos() {
    return realMicros.getValueAtPercentile(50) * NANOS_PER_MICRO;
  }
}
