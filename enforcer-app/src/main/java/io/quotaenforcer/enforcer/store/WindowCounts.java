package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.WindowCount;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads counts from a ledger store. The newest windows of a quota key are part of its ledger's row,
 * which each report writes anyway; from time to time finished windows are moved together to a
 * {@link CountsRow}. A window's count is the sum over all its rows.
 */
public final class WindowCounts {
  private final SortedMap<Long, WindowCount> sums = new TreeMap<>(Comparator.reverseOrder());

  private WindowCounts(KeyLedgerCodec.@Nullable Row ledger) {
    if (ledger != null) {
      ledger.counts().forEach(this::add);
    }
  }

  /**
   * The stored facts of one quota key.
   *
   * @param windows the newest ones, newest first
   */
  public record OfKey(Optional<KeyLedgerCodec.Row> ledger, List<WindowCount> windows) {}

  /** Reads one quota key. */
  public static OfKey of(ReadOnlyKeyValueStore<Bytes, byte[]> store, QuotaKey key, int most) {
    Bytes ledgerKey = ledgerKey(key);
    byte[] before;
    byte[] after = store.get(ledgerKey);
    KeyLedgerCodec.Row ledger;
    WindowCounts counts;
    // Repeated until the row is the same before and after: otherwise counts may have moved to
    // another row meanwhile, and be seen twice.
    do {
      before = after;
      ledger = before == null ? null : KeyLedgerCodec.readRow(before);
      counts = new WindowCounts(ledger);
      counts.addRows(store, key, most);
      after = store.get(ledgerKey);
    } while (!Arrays.equals(before, after));
    return new OfKey(
        Optional.ofNullable(ledger), counts.sums.values().stream().limit(most).toList());
  }

  private void addRows(ReadOnlyKeyValueStore<Bytes, byte[]> store, QuotaKey key, int most) {
    try (KeyValueIterator<Bytes, byte[]> rows =
        store.reverseRange(CountsRow.key(key, 0), CountsRow.key(key, Long.MAX_VALUE))) {
      while (rows.hasNext()) {
        KeyValue<Bytes, byte[]> row = rows.next();
        if (sums.headMap(CountsRow.newestWindow(row.key)).size() >= most) {
          // This row, and what follows, is of older windows than are asked for.
          return;
        }
        add(row);
      }
    }
  }

  /** Reads all quota keys, newest windows first; takes time in proportion to the store. */
  public static Map<QuotaKey, Collection<WindowCount>> all(
      ReadOnlyKeyValueStore<Bytes, byte[]> store) {
    Map<QuotaKey, WindowCounts> all = new HashMap<>();
    // Ledgers come before rows of counts; one walk sees them as they were at one moment.
    try (KeyValueIterator<Bytes, byte[]> rows =
        store.range(RowKind.LEDGER.key(new byte[0]), RowKind.COUNT.end())) {
      while (rows.hasNext()) {
        KeyValue<Bytes, byte[]> row = rows.next();
        if (RowKind.LEDGER.is(row.key)) {
          all.put(ledgerOf(row.key), new WindowCounts(KeyLedgerCodec.readRow(row.value)));
        } else {
          all.computeIfAbsent(CountsRow.quotaKey(row.key), key -> new WindowCounts(null)).add(row);
        }
      }
    }
    Map<QuotaKey, Collection<WindowCount>> counts = new HashMap<>();
    all.forEach((key, known) -> counts.put(key, known.sums.values()));
    return counts;
  }

  private void add(KeyValue<Bytes, byte[]> row) {
    CountsRow.read(row.value).forEach(this::add);
  }

  private void add(WindowCount count) {
    sums.merge(count.windowStartNanos(), count, WindowCount::plus);
  }

  /** Row key of a quota key's ledger. */
  public static Bytes ledgerKey(QuotaKey key) {
    return ledgerKey(key.toString());
  }

  /** Row key of the ledger of a quota key with this text; its beginning, for that of a text. */
  public static Bytes ledgerKey(String text) {
    return RowKind.LEDGER.key(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The ledger's quota key. */
  public static QuotaKey ledgerOf(Bytes row) {
    return QuotaKey.parse(new String(row.get(), 1, row.get().length - 1, StandardCharsets.UTF_8));
  }
}
