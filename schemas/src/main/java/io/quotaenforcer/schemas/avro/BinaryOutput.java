package io.quotaenforcer.schemas.avro;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Values in Avro's binary encoding (Avro specification, "Binary Encoding"), into bytes that grow.
 * For one thread.
 */
public final class BinaryOutput {
  private static final int FEWEST_BYTES = 256;
  private static final int MOST_VARINT_BYTES = 10;

  private byte[] bytes;
  private int size;

  /** Begins with bytes as they are. */
  public BinaryOutput(byte[] header) {
    this(header, FEWEST_BYTES);
  }

  /**
   * Begins with bytes as they are.
   *
   * @param expected bytes in all, so that they need not be copied as they become more
   */
  public BinaryOutput(byte[] header, int expected) {
    bytes = new byte[Math.max(FEWEST_BYTES, expected)];
    append(header, header.length);
  }

  /** Number of bytes that were written. */
  public int size() {
    return size;
  }

  /** All that was written. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  public void writeBoolean(boolean value) {
    ensure(1);
    bytes[size++] = (byte) (value ? 1 : 0);
  }

  public void writeInt(int value) {
    writeLong(value);
  }

  /** Zig-zag, seven bits in a byte, the lowest first. */
  public void writeLong(long value) {
    ensure(MOST_VARINT_BYTES);
    // In locals, so that nothing is stored in between but the bytes.
    byte[] to = bytes;
    int at = size;
    long left = (value << 1) ^ (value >> 63);
    while ((left & ~0x7FL) != 0) {
      to[at++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    to[at++] = (byte) left;
    size = at;
  }

  public void writeFloat(float value) {
    int bits = Float.floatToIntBits(value);
    ensure(Float.BYTES);
    for (int shift = 0; shift < Float.SIZE; shift += Byte.SIZE) {
      bytes[size++] = (byte) (bits >>> shift);
    }
  }

  public void writeDouble(double value) {
    long bits = Double.doubleToLongBits(value);
    ensure(Double.BYTES);
    for (int shift = 0; shift < Double.SIZE; shift += Byte.SIZE) {
      bytes[size++] = (byte) (bits >>> shift);
    }
  }

  public void writeString(String value) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    writeLong(text.length);
    append(text, text.length);
  }

  /** Writes the remaining bytes of the buffer, which is left unchanged. */
  public void writeBytes(ByteBuffer value) {
    int length = value.remaining();
    writeLong(length);
    ensure(length);
    value.duplicate().get(bytes, size, length);
    size += length;
  }

  /** Before the items of a list or a map; {@link #endItems} ends them. */
  public void beginItems(int count) {
    if (count > 0) {
      writeLong(count);
    }
  }

  public void endItems() {
    writeLong(0);
  }

  private void append(byte[] from, int length) {
    ensure(length);
    System.arraycopy(from, 0, bytes, size, length);
    size += length;
  }

  private void ensure(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      int doubled = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, Math.max(needed, doubled));
    }
  }
}
