package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.RowKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Searches the quota keys of one partition while others change them. A search is a seek to the
 * first key, and as many steps as there are rows in the answer, however many keys there are.
 */
final class PartitionKeys {
  /** A page ends here, however few keys it has: texts of keys may be long. */
  static final long MOST_BYTES_KEPT = 1L << 20;

  /** After every text of a quota key, since these are printable. */
  private static final String LAST = "\u007f";

  private PartitionKeys() {}

  /**
   * Those that begin with {@code prefix}, in order.
   *
   * @param after the text after which to begin; empty for the beginning
   */
  static Page<KeyFacts> search(
      ReadOnlyKeyValueStore<Bytes, byte[]> store, String prefix, String after, int most, long now) {
    // The smallest text after another one is that with the smallest character behind it.
    Bytes from = row(after.isEmpty() || after.compareTo(prefix) < 0 ? prefix : after + "\0");
    Bytes to = row(prefix + LAST);
    List<KeyFacts> found = new ArrayList<>();
    if (from.compareTo(to) > 0) {
      return Page.empty();
    }
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(from, to)) {
      while (rows.hasNext()) {
        if (found.size() == most) {
          return cut(new Page<>(found, true));
        }
        KeyValue<Bytes, byte[]> row = rows.next();
        byte[] key = row.key.get();
        String text = new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
        found.add(KeyFacts.of(text, KeyLedgerCodec.read(row.value), now));
      }
    }
    return cut(new Page<>(found, false));
  }

  private static Page<KeyFacts> cut(Page<KeyFacts> page) {
    return page.cut(KeyFacts::heapBytes, MOST_BYTES_KEPT);
  }

  private static Bytes row(String text) {
    return RowKind.LEDGER.key(text.getBytes(StandardCharsets.UTF_8));
  }
}
