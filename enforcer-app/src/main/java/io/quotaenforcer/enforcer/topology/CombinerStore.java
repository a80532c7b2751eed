package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A combiner's memory: the epoch in which it reports, and the event time until which ids may have
 * been kept by an older enforcer. One row, under a zero byte. A lost store begins a new epoch, and
 * so does one of an older enforcer, which numbered its cells differently.
 *
 * <p>Older enforcers also kept counts here, which may be left over: quota key text, zero,
 * generation, window start → permits used, permits throttled.
 */
final class CombinerStore {
  private static final Bytes OWN_ROW = Bytes.wrap(new byte[] {0});
  private static final byte VERSION = 1;
  private static final int OWN_BYTES = 1 + 2 * Long.BYTES;
  private static final int KEY_TAIL = 1 + 2 * Long.BYTES;

  private final KeyValueStore<Bytes, byte[]> store;
  private final long epoch;
  private final long singlyUntilMillis;
  private boolean isNew;

  /**
   * @param singlyUntilMillis used if a new epoch begins: an older enforcer may have seen events of
   *     earlier times
   */
  CombinerStore(KeyValueStore<Bytes, byte[]> store, LongSupplier singlyUntilMillis) {
    this.store = store;
    byte[] row = store.get(OWN_ROW);
    // An older enforcer's row has no version and is shorter.
    isNew = row == null || row.length < OWN_BYTES;
    if (row == null || isNew) {
      this.epoch = new SecureRandom().nextLong();
      this.singlyUntilMillis = singlyUntilMillis.getAsLong();
    } else {
      ByteBuffer bytes = ByteBuffer.wrap(row);
      if (bytes.get() != VERSION || row.length > OWN_BYTES) {
        throw new IllegalStateException(
            "a combiner row has format version %d, this enforcer reads %d; run the enforcer version"
                    .formatted(row[0], VERSION)
                + " that wrote the state");
      }
      this.epoch = bytes.getLong();
      this.singlyUntilMillis = bytes.getLong();
    }
  }

  long epoch() {
    return epoch;
  }

  long singlyUntilMillis() {
    return singlyUntilMillis;
  }

  /** Stores the present state and takes over leftovers; call it before any count. */
  void begin(CountedEvents counted) {
    if (isNew) {
      takeLeftOver(counted);
      store.put(
          OWN_ROW,
          ByteBuffer.allocate(OWN_BYTES)
              .put(VERSION)
              .putLong(epoch)
              .putLong(singlyUntilMillis)
              .array());
      isNew = false;
    }
  }

  /**
   * Each row of a quota key stands for at least one past event, so that numbering the rows gives no
   * number that a later event of the key will have.
   */
  private void takeLeftOver(CountedEvents counted) {
    List<KeyValue<Bytes, byte[]>> left = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> rows = store.all()) {
      rows.forEachRemaining(left::add);
    }
    Map<String, Long> rowsOfKey = new HashMap<>();
    for (KeyValue<Bytes, byte[]> row : left) {
      if (!row.key.equals(OWN_ROW)) {
        ByteBuffer key = ByteBuffer.wrap(row.key.get());
        int textLength = key.remaining() - KEY_TAIL;
        String text = new String(row.key.get(), 0, textLength, StandardCharsets.UTF_8);
        ByteBuffer counts = ByteBuffer.wrap(row.value);
        long number = rowsOfKey.merge(text, 1L, Long::sum);
        counted.add(
            QuotaKey.parse(text),
            key.getLong(textLength + 1),
            key.getLong(textLength + 1 + Long.BYTES),
            counts.getLong(),
            counts.getLong(),
            number);
        store.delete(row.key);
      }
    }
  }
}
