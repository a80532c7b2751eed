package io.quotaenforcer.lab.demo;

import io.quotaenforcer.client.spi.ClientTelemetry;
import java.util.Optional;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Times from report to answer, of all instances together. */
final class LoopHistogram implements ClientTelemetry {
  private static final long MAX_MICROS = 60_000_000;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final double MICROS_PER_MILLI = 1_000;

  private final Histogram micros = new ConcurrentHistogram(MAX_MICROS, 3);

  @Override
  public void answered(int partition, int quotas, long loopNanos) {
    micros.recordValue(Math.min(MAX_MICROS, Math.max(0, loopNanos / 1_000)));
  }

  /** Empty until a loop was measured. */
  Optional<LoopTimes> times() {
    return micros.getTotalCount() == 0
        ? Optional.empty()
        : Optional.of(new LoopTimes(percentile(50), percentile(99)));
  }

  /** The longest loop; 0 until one was measured. */
  long longestNanos() {
    return micros.getMaxValue() * NANOS_PER_MICRO;
  }

  /** Forgets all measurements. */
  void reset() {
    micros.reset();
  }

  private double percentile(double percent) {
    return micros.getValueAtPercentile(percent) / MICROS_PER_MILLI;
  }
}
