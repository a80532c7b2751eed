package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.WindowCount;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;

/**
 * Counts of a quota key's windows beyond those in its ledger's row: {@link WindowCounts} adds up
 * both.
 *
 * <p>Row key: {@link RowKind#COUNT}, the key's text, a zero byte, the start of the newest window (8
 * bytes, big-endian), so that the rows of a key lie together in order. Value: {@link RowOutput}
 * relative to that window, with a number of windows, then start, permits used and permits throttled
 * of each, oldest first.
 */
public final class CountsRow {
  private static final int VERSION = 1;
  private static final int WINDOW_BYTES = 9;
  private static final int BYTES_PER_WINDOW = 10;

  private CountsRow() {}

  public static Bytes key(QuotaKey quotaKey, long newestWindowNanos) {
    byte[] text = quotaKey.toString().getBytes(StandardCharsets.UTF_8);
    return RowKind.COUNT.key(
        ByteBuffer.allocate(text.length + WINDOW_BYTES)
            .put(text)
            .put((byte) 0)
            .putLong(newestWindowNanos)
            .array());
  }

  /** The row's quota key. */
  public static QuotaKey quotaKey(Bytes key) {
    int textLength = key.get().length - 1 - WINDOW_BYTES;
    return QuotaKey.parse(new String(key.get(), 1, textLength, StandardCharsets.UTF_8));
  }

  /** The newest window in the row. */
  public static long newestWindow(Bytes key) {
    return ByteBuffer.wrap(key.get()).getLong(key.get().length - Long.BYTES);
  }

  /**
   * @param counts of at least one window, oldest first
   */
  public static byte[] write(List<WindowCount> counts) {
    long newest = counts.get(counts.size() - 1).windowStartNanos();
    RowOutput out = new RowOutput(VERSION, newest, BYTES_PER_WINDOW * (1 + counts.size()));
    write(counts, out);
    return out.toByteArray();
  }

  /** Oldest first. */
  public static List<WindowCount> read(byte[] value) {
    RowInput in = new RowInput(value);
    if (in.version() != VERSION) {
      throw new IllegalStateException(
          "a row of counts has format version %d, this enforcer reads %d; run the enforcer version that wrote the state"
              .formatted(in.version(), VERSION));
    }
    try {
      in.readTime();
      return read(in);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalStateException("a row of counts is cut off", e);
    }
  }

  static void write(List<WindowCount> counts, RowOutput out) {
    out.writeInt(counts.size());
    for (WindowCount count : counts) {
      out.writeLong(count.windowStartNanos());
      out.writeLong(count.used());
      out.writeLong(count.throttled());
    }
  }

  static List<WindowCount> read(RowInput in) {
    int size = in.readInt();
    List<WindowCount> counts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      counts.add(new WindowCount(in.readLong(), in.readLong(), in.readLong()));
    }
    return counts;
  }
}
