package io.quotaenforcer.enforcer.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Numbers and text as few bytes: most numbers of a row are small, or times near the row's own.
 *
 * <p>A number is one byte {@code 1xxxxxxx} when its zigzag form is below 128. Else it is a byte
 * {@code 000tnnnn} and n bytes, big-endian, of the zigzag form of the number itself, or with {@code
 * t} of its distance to the row's time: whichever is shorter.
 */
final class RowOutput {
  static final int SMALL = 0x80;
  static final int RELATIVE = 0x10;

  private static final int MOST_NUMBER_BYTES = 1 + Long.BYTES;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final long timeNanos;
  private byte[] bytes;
  private int length;

  /**
   * @param likelyLength expected bytes; there may be more
   */
  RowOutput(int version, long timeNanos, int likelyLength) {
    this.timeNanos = timeNanos;
    this.bytes = new byte[likelyLength];
    writeByte(version);
    write(0, zigzag(timeNanos));
  }

  void writeByte(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
  }

  void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  void writeInt(int value) {
    writeLong(value);
  }

  void writeLong(long value) {
    long itself = zigzag(value);
    if ((itself & -SMALL) == 0) {
      writeByte(SMALL | (int) itself);
      return;
    }
    long distance = zigzag(value - timeNanos);
    if (size(distance) < size(itself)) {
      write(RELATIVE, distance);
    } else {
      write(0, itself);
    }
  }

  void writeDouble(double value) {
    write(0, Double.doubleToLongBits(value));
  }

  void writeText(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    writeInt(utf8.length);
    reserve(utf8.length);
    System.arraycopy(utf8, 0, bytes, length, utf8.length);
    length += utf8.length;
  }

  /** Bytes of another row whose times are relative to the same time. */
  void writeBytes(byte[] row, int from, int to) {
    reserve(to - from);
    System.arraycopy(row, from, bytes, length, to - from);
    length += to - from;
  }

  int length() {
    return length;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  private void write(int flag, long bits) {
    int size = size(bits);
    reserve(MOST_NUMBER_BYTES);
    bytes[length] = (byte) (flag | size);
    // Writes eight bytes at once, of which only the first {@code size} count.
    LONGS.set(bytes, length + 1, bits << Long.SIZE - Byte.SIZE * size);
    length += 1 + size;
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  private static long zigzag(long value) {
    return value << 1 ^ value >> Long.SIZE - 1;
  }

  private static int size(long bits) {
    return (Long.SIZE - Long.numberOfLeadingZeros(bits) + Byte.SIZE - 1) / Byte.SIZE;
  }
}
