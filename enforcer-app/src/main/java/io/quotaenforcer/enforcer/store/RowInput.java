package io.quotaenforcer.enforcer.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link RowOutput} wrote; throws {@link BufferUnderflowException} at the end of bytes
 * that are cut off.
 */
final class RowInput {
  private final ByteBuffer bytes;
  private final int version;
  private long timeNanos;

  RowInput(byte[] row) {
    bytes = ByteBuffer.wrap(row);
    version = bytes.get();
  }

  int version() {
    return version;
  }

  /** Reads the row's time; before anything else, if the version is right. */
  void readTime() {
    timeNanos = readLong();
  }

  int readByte() {
    return bytes.get();
  }

  boolean readBoolean() {
    return bytes.get() != 0;
  }

  int readInt() {
    return Math.toIntExact(readLong());
  }

  long readLong() {
    int tag = bytes.get() & 0xff;
    if ((tag & RowOutput.SMALL) != 0) {
      return unzigzag(tag & ~RowOutput.SMALL);
    }
    long value = unzigzag(bits(tag));
    return (tag & RowOutput.RELATIVE) != 0 ? value + timeNanos : value;
  }

  double readDouble() {
    return Double.longBitsToDouble(bits(bytes.get()));
  }

  String readText() {
    byte[] utf8 = new byte[Math.min(readInt(), bytes.remaining() + 1)];
    bytes.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private long bits(int tag) {
    long bits = 0;
    for (int left = tag & 0xf; left > 0; left--) {
      bits = bits << Byte.SIZE | (bytes.get() & 0xff);
    }
    return bits;
  }

  private static long unzigzag(long bits) {
    return bits >>> 1 ^ -(bits & 1);
  }
}
