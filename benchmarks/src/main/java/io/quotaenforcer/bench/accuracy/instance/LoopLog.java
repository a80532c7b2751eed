package io.quotaenforcer.bench.accuracy.instance;

import io.quotaenforcer.client.spi.ClientTelemetry;
import java.util.Arrays;

/** Times from report to answer of one instance. Any thread. */
final class LoopLog implements ClientTelemetry {
  private long[] nanos = new long[1_024];
  private int size;

  @Override
  public synchronized void answered(int partition, int quotas, long loopNanos) {
    nanos = size == nanos.length ? Arrays.copyOf(nanos, 2 * size) : nanos;
    nanos[size++] = loopNanos;
  }

  /** Forgets what was measured so far. */
  synchronized void clear() {
    size = 0;
  }

  synchronized long[] toArray() {
    return Arrays.copyOf(nanos, size);
  }
}
