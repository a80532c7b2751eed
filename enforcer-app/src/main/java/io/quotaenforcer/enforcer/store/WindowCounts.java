package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.WindowCount;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Reads what was counted from a ledger store. The newest window of a quota key is a part of its
 * ledger's row, which each report writes anyway; a {@link WindowCountRow} follows when a newer one
 * takes its place there, or the ledger goes. Until then there may be an outdated one.
 */
public final class WindowCounts {
  private WindowCounts() {}

  /** Of one quota key, the newest windows first. */
  public static List<WindowCountRow> of(
      ReadOnlyKeyValueStore<Bytes, byte[]> store, QuotaKey key, int most) {
    // First, so that nothing is missed that moves to a row of its own meanwhile.
    byte[] ledger = store.get(ledgerKey(key));
    SortedMap<Long, WindowCountRow> counts = new TreeMap<>(Comparator.reverseOrder());
    if (ledger != null) {
      newest(key, ledger).ifPresent(count -> counts.put(count.windowStartNanos(), count));
    }
    try (KeyValueIterator<Bytes, byte[]> rows =
        store.reverseRange(WindowCountRow.key(key, 0), WindowCountRow.key(key, Long.MAX_VALUE))) {
      while (rows.hasNext() && counts.size() < most) {
        KeyValue<Bytes, byte[]> row = rows.next();
        WindowCountRow count = WindowCountRow.read(row.key, row.value);
        counts.putIfAbsent(count.windowStartNanos(), count);
      }
    }
    return List.copyOf(counts.values());
  }

  /** Of all quota keys; takes as long as the store is large. */
  public static Collection<WindowCountRow> all(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
    Map<Bytes, WindowCountRow> counts = new LinkedHashMap<>();
    // Ledgers come before rows of counts; one walk sees them as they were at one moment.
    try (KeyValueIterator<Bytes, byte[]> rows =
        store.range(RowKind.LEDGER.key(new byte[0]), RowKind.COUNT.end())) {
      while (rows.hasNext()) {
        KeyValue<Bytes, byte[]> row = rows.next();
        if (RowKind.LEDGER.is(row.key)) {
          newest(ledgerOf(row.key), row.value).ifPresent(count -> counts.put(count.key(), count));
        } else {
          counts.putIfAbsent(row.key, WindowCountRow.read(row.key, row.value));
        }
      }
    }
    return counts.values();
  }

  /** Where the ledger of a quota key is. */
  public static Bytes ledgerKey(QuotaKey key) {
    return RowKind.LEDGER.key(key.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Whose ledger it is. */
  public static QuotaKey ledgerOf(Bytes row) {
    return QuotaKey.parse(new String(row.get(), 1, row.get().length - 1, StandardCharsets.UTF_8));
  }

  private static Optional<WindowCountRow> newest(QuotaKey key, byte[] ledgerRow) {
    Optional<WindowCount> newest = KeyLedgerCodec.readNewestCount(ledgerRow);
    return newest.map(count -> WindowCountRow.of(key, count));
  }
}
