package io.quotaenforcer.lab.runlog;

import io.quotaenforcer.client.spi.Clocks;
import java.util.function.LongSupplier;

/**
 * The log's time, in epoch nanoseconds: stands still until it is started, then runs {@code speed}
 * times as fast as this machine's. All instances and the enforcer share it, as machines share the
 * time of day; it is monotonic, too.
 */
final class LogClock implements LongSupplier {
  private final long speed;
  private final long originNanos;
  private volatile long startedNanos;
  private volatile boolean running;

  LogClock(long speed, long originNanos) {
    this.speed = speed;
    this.originNanos = originNanos;
  }

  /** Starts it at its origin; the machine's monotonic time at which that was. */
  long start() {
    startedNanos = System.nanoTime();
    running = true;
    return startedNanos;
  }

  @Override
  public long getAsLong() {
    return running ? originNanos + (System.nanoTime() - startedNanos) * speed : originNanos;
  }

  Clocks clocks() {
    return new Clocks(this, this);
  }
}
