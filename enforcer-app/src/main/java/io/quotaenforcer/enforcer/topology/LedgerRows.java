package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.store.CountsRow;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.WindowCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Ledgers and counts as of the open transaction. Each changed row is written once, by {@link
 * #write}, however often it changed; recently used rows need not be read from the store again.
 *
 * <p>A key used only once rests as bytes until then, made while its objects are still in the
 * processor's caches; a key that is used again stays as objects.
 */
final class LedgerRows {
  private final KeyValueStore<Bytes, byte[]> store;
  private final RowCache lately;
  private final List<KeyValue<Bytes, byte[]>> others = new ArrayList<>();
  private Map<QuotaKey, Resting> resting = new HashMap<>();
  private Map<QuotaKey, LedgerRow> open = new HashMap<>();
  private @Nullable QuotaKey foundKey;
  private @Nullable LedgerRow found;

  /** A row that changed, as it is to be stored. */
  private record Resting(Bytes storeKey, byte[] value, long seenToUntil) {}

  LedgerRows(KeyValueStore<Bytes, byte[]> store, RowCache lately) {
    this.store = store;
    this.lately = lately;
  }

  Optional<KeyLedger> ledger(QuotaKey key) {
    LedgerRow row = find(key);
    if (row == null) {
      row = read(key);
      if (row == null) {
        return Optional.empty();
      }
      found = row;
    }
    return Optional.of(row.ledger());
  }

  /** Like {@link #ledger}, for a key not in use: the row is not cached. */
  Optional<LedgerRow> newest(QuotaKey key) {
    rest();
    LedgerRow known = changed(key);
    return Optional.ofNullable(known != null ? known : read(key));
  }

  private @Nullable LedgerRow read(QuotaKey key) {
    Bytes storeKey = row(key);
    RowCache.Entry known = lately.get(storeKey);
    if (known != null) {
      return LedgerRow.of(key, storeKey, KeyLedgerCodec.readRow(known.row()), known.seenToUntil());
    }
    byte[] value = store.get(storeKey);
    if (value == null) {
      return null;
    }
    return LedgerRow.of(key, storeKey, KeyLedgerCodec.readRow(value), Long.MIN_VALUE);
  }

  /** Successive operations on a key use the same object. */
  private @Nullable LedgerRow find(QuotaKey key) {
    if (key != foundKey) {
      rest();
      found = changed(key);
      foundKey = key;
    }
    return found;
  }

  /** Must be called when a key is not needed further for now. */
  void rest() {
    LedgerRow row = found;
    foundKey = null;
    found = null;
    if (row != null && row.isChanged() && !open.containsKey(row.key())) {
      if (row.hasCountsToMove()) {
        open(row);
      } else {
        resting.put(row.key(), new Resting(row.storeKey(), row.write(), row.seenToUntil()));
      }
    }
  }

  /** The row of a key that changed in this transaction. */
  private @Nullable LedgerRow changed(QuotaKey key) {
    LedgerRow known = open.get(key);
    return known != null ? known : wake(key);
  }

  private @Nullable LedgerRow wake(QuotaKey key) {
    Resting row = resting.remove(key);
    if (row == null) {
      return null;
    }
    KeyLedgerCodec.Row written = KeyLedgerCodec.readRow(row.value);
    LedgerRow awake = LedgerRow.of(key, row.storeKey, written, row.seenToUntil);
    open(awake);
    return awake;
  }

  /** Keeps it as objects until it is written. */
  private void open(LedgerRow row) {
    row.change();
    open.put(row.key(), row);
  }

  void put(QuotaKey key, KeyLedger ledger) {
    LedgerRow known = find(key);
    if (known == null) {
      found = LedgerRow.first(key, row(key), ledger);
    } else {
      known.put(ledger);
    }
  }

  /** Adds a row of another kind, which is not read before it is written. */
  void add(KeyValue<Bytes, byte[]> row) {
    others.add(row);
  }

  /** Adds to the counts of a key whose ledger was {@linkplain #put put}. */
  void add(QuotaKey key, List<WindowCount> changes, LedgerRow.NewCounts newCounts) {
    if (changes.isEmpty()) {
      return;
    }
    LedgerRow row = find(key);
    if (row == null) {
      throw new IllegalStateException("must have a ledger: quotaKey=" + key);
    }
    row.count(changes, newCounts);
  }

  /**
   * Writes all changes to the store at once.
   *
   * @param countsFrom windows that ended before need not be counted any more
   */
  void write(long countsFrom) {
    rest();
    List<KeyValue<Bytes, byte[]>> rows =
        new ArrayList<>(others.size() + resting.size() + open.size());
    rows.addAll(others);
    resting.values().forEach(row -> write(row, rows));
    for (LedgerRow row : open.values()) {
      move(row.key(), row.takeCountsToMove(countsFrom), rows);
      write(new Resting(row.storeKey(), row.write(), row.seenToUntil()), rows);
    }
    if (!rows.isEmpty()) {
      store.putAll(rows);
    }
    others.clear();
    resting = new HashMap<>();
    open = new HashMap<>();
  }

  private void write(Resting row, List<KeyValue<Bytes, byte[]>> rows) {
    rows.add(KeyValue.pair(row.storeKey, row.value));
    lately.put(row.storeKey, row.value, row.seenToUntil);
  }

  /** Adds a row for the given counts, merged with those of the same windows that moved earlier. */
  private void move(QuotaKey key, List<WindowCount> counts, List<KeyValue<Bytes, byte[]>> rows) {
    if (counts.isEmpty()) {
      return;
    }
    Bytes storeKey = CountsRow.key(key, counts.get(counts.size() - 1).windowStartNanos());
    byte[] before = store.get(storeKey);
    if (before == null) {
      rows.add(KeyValue.pair(storeKey, CountsRow.write(counts)));
    } else {
      SortedMap<Long, WindowCount> sums = new TreeMap<>();
      CountsRow.read(before).forEach(count -> sums.put(count.windowStartNanos(), count));
      counts.forEach(count -> sums.merge(count.windowStartNanos(), count, WindowCount::plus));
      rows.add(KeyValue.pair(storeKey, CountsRow.write(List.copyOf(sums.values()))));
    }
  }

  /**
   * Deletes a ledger but not its counts; does nothing and returns false if it changed in this
   * transaction.
   *
   * @param row {@linkplain #newest the newest}
   */
  boolean delete(LedgerRow row) {
    if (row.isChanged()) {
      return false;
    }
    List<KeyValue<Bytes, byte[]>> rows = new ArrayList<>(2);
    move(row.key(), row.counts(), rows);
    rows.add(KeyValue.pair(row.storeKey(), null));
    store.putAll(rows);
    lately.remove(row.storeKey());
    return true;
  }

  /** Deletes the counts of a key's windows up to one, except those in the row of a newer window. */
  void deleteCounts(QuotaKey key, long last) {
    List<Bytes> gone = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> counts =
        store.range(CountsRow.key(key, 0), CountsRow.key(key, last))) {
      counts.forEachRemaining(row -> gone.add(row.key));
    }
    gone.forEach(store::delete);
    newest(key).filter(row -> row.removeCounts(last)).ifPresent(this::open);
  }

  static Bytes row(QuotaKey key) {
    return WindowCounts.ledgerKey(key);
  }
}
