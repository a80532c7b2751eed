package io.quotaenforcer.bench.accuracy.central;

import java.nio.ByteBuffer;

/**
 * The store's answer.
 *
 * @param atNanos the clock read of the decision, epoch time
 * @param windowStartNanos window that the permit belongs to; 0 for kinds without windows
 */
public record Taken(long atNanos, long windowStartNanos, boolean admitted) {
  static final int BYTES = 3 * Long.BYTES;

  void write(ByteBuffer to) {
    to.putLong(atNanos).putLong(windowStartNanos).putLong(admitted ? 1 : 0);
  }

  static Taken read(ByteBuffer from) {
    return new Taken(from.getLong(), from.getLong(), from.getLong() == 1);
  }
}
