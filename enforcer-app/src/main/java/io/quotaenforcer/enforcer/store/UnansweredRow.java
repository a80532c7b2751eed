package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.deferral.Lane;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;

/**
 * The highest released numbers of a quota key as of a day, so that releases without an answer are
 * found long afterwards.
 *
 * <p>Row key: the kind of row, the day since the epoch (4 bytes, big-endian), the quota key.
 *
 * @param before by the ordinal of {@link Lane}: lower numbers do not wait
 */
public record UnansweredRow(List<Long> before) {
  public UnansweredRow {
    before = List.copyOf(before);
    if (before.size() != Lane.values().length) {
      throw new IllegalArgumentException("must be one of each lane: before=" + before);
    }
  }

  public static Bytes key(int day, QuotaKey quotaKey) {
    byte[] text = quotaKey.toString().getBytes(StandardCharsets.UTF_8);
    return Bytes.wrap(head(day, text.length).put(text).array());
  }

  /** A key that sorts after every row of an earlier day and before every row of this one. */
  public static Bytes from(int day) {
    return Bytes.wrap(head(day, 0).array());
  }

  public static QuotaKey quotaKey(Bytes key) {
    byte[] bytes = key.get();
    int head = 1 + Integer.BYTES;
    return QuotaKey.parse(new String(bytes, head, bytes.length - head, StandardCharsets.UTF_8));
  }

  public static int day(Bytes key) {
    return ByteBuffer.wrap(key.get()).getInt(1);
  }

  private static ByteBuffer head(int day, int rest) {
    return ByteBuffer.allocate(1 + Integer.BYTES + rest)
        .put((byte) QueueRowKind.UNANSWERED.ordinal())
        .putInt(day);
  }

  public byte[] write() {
    ByteBuffer row = ByteBuffer.allocate(before.size() * Long.BYTES);
    before.forEach(row::putLong);
    return row.array();
  }

  public static UnansweredRow read(byte[] row) {
    ByteBuffer bytes = ByteBuffer.wrap(row);
    List<Long> before = new ArrayList<>(Lane.values().length);
    while (bytes.hasRemaining()) {
      before.add(bytes.getLong());
    }
    return new UnansweredRow(before);
  }
}
