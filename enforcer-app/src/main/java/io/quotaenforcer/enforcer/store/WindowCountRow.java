package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.WindowCount;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;

/**
 * What was counted for a quota key in one window. Of the newest window there may be an outdated
 * row, or none: {@link WindowCounts} reads what there is.
 *
 * <p>Row key: {@link RowKind#COUNT}, the key's text, a zero byte, the window's start (8 bytes,
 * big-endian), so that the windows of a key lie together in order. Value: the two counts.
 *
 * @param windowStartNanos start of the window, epoch nanoseconds
 * @param used permits of admitted requests
 * @param throttled permits of throttled requests
 */
public record WindowCountRow(QuotaKey quotaKey, long windowStartNanos, long used, long throttled) {
  private static final int WINDOW_BYTES = 9;

  static WindowCountRow of(QuotaKey key, WindowCount count) {
    return new WindowCountRow(key, count.windowStartNanos(), count.used(), count.throttled());
  }

  public static Bytes key(QuotaKey quotaKey, long windowStartNanos) {
    byte[] text = quotaKey.toString().getBytes(StandardCharsets.UTF_8);
    return RowKind.COUNT.key(
        ByteBuffer.allocate(text.length + WINDOW_BYTES)
            .put(text)
            .put((byte) 0)
            .putLong(windowStartNanos)
            .array());
  }

  public static WindowCountRow read(Bytes key, byte[] value) {
    ByteBuffer bytes = ByteBuffer.wrap(key.get());
    int textLength = bytes.remaining() - 1 - WINDOW_BYTES;
    String text = new String(key.get(), 1, textLength, StandardCharsets.UTF_8);
    ByteBuffer counts = ByteBuffer.wrap(value);
    return new WindowCountRow(
        QuotaKey.parse(text), bytes.getLong(textLength + 2), counts.getLong(), counts.getLong());
  }

  public byte[] value() {
    return value(used, throttled);
  }

  private static byte[] value(long used, long throttled) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(used).putLong(throttled).array();
  }

  public Bytes key() {
    return key(quotaKey, windowStartNanos);
  }
}
