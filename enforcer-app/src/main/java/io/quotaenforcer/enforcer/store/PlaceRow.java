package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.deferral.Lane;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;

/**
 * Place in which a deferred request waits, or from which it was released without an acknowledgement
 * yet.
 *
 * @param number of the request in its lane
 */
public record PlaceRow(QuotaKey quotaKey, Lane lane, long number) {
  private static final int TAIL = 1 + 1 + Long.BYTES;

  /** Tells its release from any other of the quota key; never 0. */
  public long release() {
    return number * Lane.values().length + lane.ordinal();
  }

  /** Key of the request itself: text of the quota key, zero, lane, number. */
  public Bytes requestKey() {
    return requestKey(quotaKey, lane, number);
  }

  /** Key of a request with this number in a lane; there need not be one. */
  public static Bytes requestKey(QuotaKey quotaKey, Lane lane, long number) {
    byte[] text = quotaKey.toString().getBytes(StandardCharsets.US_ASCII);
    return Bytes.wrap(
        ByteBuffer.allocate(text.length + TAIL)
            .put(text)
            .put((byte) 0)
            .put((byte) lane.ordinal())
            .putLong(number)
            .array());
  }

  /** Number of the request with this key. */
  public static long number(Bytes requestKey) {
    byte[] key = requestKey.get();
    return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
  }

  public byte[] write() {
    return requestKey().get();
  }

  public static PlaceRow read(byte[] row) {
    int textLength = row.length - TAIL;
    String text = new String(row, 0, textLength, StandardCharsets.US_ASCII);
    return new PlaceRow(
        QuotaKey.parse(text),
        Lane.values()[row[textLength + 1]],
        ByteBuffer.wrap(row).getLong(textLength + 2));
  }
}
