package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The epoch in which a combiner reports: one row, under a zero byte. A store that was lost begins a
 * new epoch, and so does one of an older enforcer, which numbered its cells otherwise.
 *
 * <p>Older enforcers kept counts here as well, which may be left over: quota key text, zero,
 * generation, window start → permits used, permits throttled.
 */
final class CombinerStore {
  private static final Bytes EPOCH_ROW = Bytes.wrap(new byte[] {0});
  private static final int KEY_TAIL = 1 + 2 * Long.BYTES;

  private final KeyValueStore<Bytes, byte[]> store;
  private OptionalLong epoch;

  CombinerStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
    byte[] row = store.get(EPOCH_ROW);
    epoch =
        row != null && row.length == Long.BYTES
            ? OptionalLong.of(ByteBuffer.wrap(row).getLong())
            : OptionalLong.empty();
  }

  /** The epoch; to be called first while a record is being processed, as it may be written. */
  long epoch(CountedEvents counted) {
    if (epoch.isEmpty()) {
      long begun = new SecureRandom().nextLong();
      takeLeftOver(counted);
      store.put(EPOCH_ROW, ByteBuffer.allocate(Long.BYTES).putLong(begun).array());
      epoch = OptionalLong.of(begun);
    }
    return epoch.getAsLong();
  }

  /**
   * Each row of a quota key is of at least one event before those to come, so that numbering them
   * gives no number that an event of the key will have.
   */
  private void takeLeftOver(CountedEvents counted) {
    List<KeyValue<Bytes, byte[]>> left = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> rows = store.all()) {
      rows.forEachRemaining(left::add);
    }
    Map<String, Long> rowsOfKey = new HashMap<>();
    for (KeyValue<Bytes, byte[]> row : left) {
      if (!row.key.equals(EPOCH_ROW)) {
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
