package io.quotaenforcer.schemas.avro;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values in Avro's binary encoding, out of bytes that may be anything: no length and no count is
 * believed that the bytes which are left cannot hold. Methods throw {@link
 * MalformedBytesException}. For one thread.
 */
public final class BinaryInput {
  /** Shift of the tenth byte of a long, which has one bit left. */
  private static final int LAST_SHIFT = 63;

  private final byte[] bytes;
  private int at;

  /** Items that lists and maps may still have, in all. */
  private int itemsLeft;

  /** Reads from an offset on. */
  public BinaryInput(byte[] bytes, int offset) {
    this.bytes = bytes;
    this.at = offset;
    this.itemsLeft = bytes.length;
  }

  /** Whether nothing is left. */
  public boolean isAtEnd() {
    return at == bytes.length;
  }

  public boolean readBoolean() {
    byte value = next();
    if (value != 0 && value != 1) {
      throw new MalformedBytesException("must be 0 or 1: boolean=" + value);
    }
    return value == 1;
  }

  public int readInt() {
    long value = readLong();
    if (value != (int) value) {
      throw new MalformedBytesException("must be an int: " + value);
    }
    return (int) value;
  }

  public long readLong() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = next();
      if (shift == LAST_SHIFT && next > 1) {
        break;
      }
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new MalformedBytesException("must have at most 64 bits: long");
  }

  public float readFloat() {
    need(Float.BYTES);
    int bits = 0;
    for (int shift = 0; shift < Float.SIZE; shift += Byte.SIZE) {
      bits |= (bytes[at++] & 0xFF) << shift;
    }
    return Float.intBitsToFloat(bits);
  }

  public double readDouble() {
    need(Double.BYTES);
    long bits = 0;
    for (int shift = 0; shift < Double.SIZE; shift += Byte.SIZE) {
      bits |= (bytes[at++] & 0xFFL) << shift;
    }
    return Double.longBitsToDouble(bits);
  }

  public String readString() {
    int length = readLength();
    String text = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
  }

  /** Bytes of its own. */
  public ByteBuffer readBytes() {
    int length = readLength();
    byte[] copy = new byte[length];
    System.arraycopy(bytes, at, copy, 0, length);
    at += length;
    return ByteBuffer.wrap(copy);
  }

  /** A list whose items have a byte at least, each. */
  public <T> List<T> readList(Function<BinaryInput, T> item) {
    return readList(1, item);
  }

  /**
   * A list of no more items than there may be in all.
   *
   * @param leastBytes of an item
   */
  <T> List<T> readList(int leastBytes, Function<BinaryInput, T> item) {
    List<T> items = null;
    for (int block = readCount(leastBytes); block > 0; block = readCount(leastBytes)) {
      items = items == null ? new ArrayList<>(block) : items;
      for (int i = 0; i < block; i++) {
        items.add(item.apply(this));
      }
    }
    return items == null ? new ArrayList<>() : items;
  }

  public <T> Map<String, T> readMap(Function<BinaryInput, T> value) {
    Map<String, T> values = new HashMap<>();
    for (int block = readCount(); block > 0; block = readCount()) {
      for (int i = 0; i < block; i++) {
        values.put(readString(), value.apply(this));
      }
    }
    return values;
  }

  /**
   * A value, or null where the branch read is the one of null.
   *
   * @param nullBranch 0 or 1, of two
   */
  public <T> @Nullable T readNullable(int nullBranch, Function<BinaryInput, T> value) {
    int branch = readIndex(2);
    return branch == nullBranch ? null : value.apply(this);
  }

  /** An index below {@code size}. */
  public int readIndex(int size) {
    long index = readLong();
    if (index < 0 || index >= size) {
      throw new MalformedBytesException("must be one of %d: index=%d".formatted(size, index));
    }
    return (int) index;
  }

  /**
   * Number of the items in the next block of a list or a map; 0 behind the last. Each has a byte at
   * least.
   */
  int readCount() {
    return readCount(1);
  }

  private int readCount(int leastBytes) {
    long count = readLong();
    if (count < 0) {
      readLong(); // bytes of the block
      count = -count;
    }
    if (count < 0 || count > itemsLeft || count * leastBytes > bytes.length - at) {
      throw new MalformedBytesException(
          "must fit into the %d bytes left: items=%d".formatted(bytes.length - at, count));
    }
    itemsLeft -= (int) count;
    return (int) count;
  }

  /** Steps over a list whose items have no bytes, however many there are. */
  void skipNothing() {
    for (long count = readLong(); count != 0; count = readLong()) {
      if (count < 0) {
        readLong(); // bytes of the block
      }
    }
  }

  void skip(int length) {
    need(length);
    at += length;
  }

  void skipText() {
    // In two steps: reading the length moves on, too.
    int length = readLength();
    at += length;
  }

  private int readLength() {
    long length = readLong();
    if (length < 0 || length > bytes.length - at) {
      throw new MalformedBytesException(
          "must fit into the %d bytes left: length=%d".formatted(bytes.length - at, length));
    }
    return (int) length;
  }

  private byte next() {
    need(1);
    return bytes[at++];
  }

  private void need(int length) {
    if (length > bytes.length - at) {
      throw new MalformedBytesException("bytes end too soon");
    }
  }
}
