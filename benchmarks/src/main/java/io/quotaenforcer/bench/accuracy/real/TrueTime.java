package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.client.spi.Clocks;

/**
 * Epoch time that does not step: this process's monotonic clock, moved. Processes of one machine
 * agree on it to some microseconds.
 *
 * @param offsetNanos epoch time minus monotonic time
 */
public record TrueTime(long offsetNanos) {

  /** By the two clocks of this machine now. */
  public static TrueTime now() {
    Clocks clocks = Clocks.system();
    return new TrueTime(clocks.epochNanos().getAsLong() - clocks.monotonicNanos().getAsLong());
  }

  public long epochNanos() {
    return offsetNanos + System.nanoTime();
  }

  /** Clocks that both follow it. */
  public Clocks clocks() {
    return new Clocks(System::nanoTime, this::epochNanos);
  }
}
