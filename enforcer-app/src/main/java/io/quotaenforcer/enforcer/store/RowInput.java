package io.quotaenforcer.enforcer.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads the output of {@link RowOutput}; throws {@link IndexOutOfBoundsException} at the end of
 * truncated bytes.
 */
final class RowInput {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private final int version;
  private int position;
  private long timeNanos;

  RowInput(byte[] row) {
    bytes = row;
    version = readByte();
  }

  private RowInput(RowInput other) {
    bytes = other.bytes;
    version = other.version;
    position = other.position;
    timeNanos = other.timeNanos;
  }

  /** Reads the same from here on. */
  RowInput copy() {
    return new RowInput(this);
  }

  int version() {
    return version;
  }

  /** Reads the row's time; must come first, after the version was checked. */
  void readTime() {
    timeNanos = readLong();
  }

  long timeNanos() {
    return timeNanos;
  }

  /** Bytes read so far. */
  int position() {
    return position;
  }

  int readByte() {
    return bytes[position++];
  }

  boolean readBoolean() {
    return readByte() != 0;
  }

  int readInt() {
    return Math.toIntExact(readLong());
  }

  long readLong() {
    int tag = readByte();
    if ((tag & RowOutput.SMALL) != 0) {
      return unzigzag(tag & RowOutput.SMALL - 1);
    }
    long value = unzigzag(bits(tag));
    return (tag & RowOutput.RELATIVE) != 0 ? value + timeNanos : value;
  }

  double readDouble() {
    return Double.longBitsToDouble(bits(readByte()));
  }

  String readText() {
    int length = readInt();
    if (length < 0 || length > bytes.length - position) {
      throw new IndexOutOfBoundsException(length);
    }
    String text = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return text;
  }

  private long bits(int tag) {
    int size = tag & 0xf;
    int from = position;
    position += size;
    if (size > 0 && size <= Long.BYTES && from + Long.BYTES <= bytes.length) {
      // Reads eight bytes at once, of which only the first {@code size} count.
      return (long) LONGS.get(bytes, from) >>> Long.SIZE - Byte.SIZE * size;
    }
    long bits = 0;
    for (int i = from; i < position; i++) {
      bits = bits << Byte.SIZE | (bytes[i] & 0xff);
    }
    return bits;
  }

  private static long unzigzag(long bits) {
    return bits >>> 1 ^ -(bits & 1);
  }
}
