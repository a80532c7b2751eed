package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.store.WindowCountRow;
import io.quotaenforcer.enforcer.store.WindowCounts;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Ledgers and counts as they are in the open transaction. Each row that changed is written once, by
 * {@link #write}, however often it changed; what was used lately need not be read again.
 */
final class LedgerRows {
  /** Of the heap, for all partitions together: a ledger is some hundred bytes a holder. */
  private static final double SHARE_OF_HEAP = 0.25;

  private static final int BYTES_PER_HOLDER = 500;
  private static final int LEAST_HOLDERS = 1_000;

  private final KeyValueStore<Bytes, byte[]> store;
  private final int mostHolders;
  private final Map<QuotaKey, LedgerRow> lately = new LinkedHashMap<>(16, 0.75f, true);
  private final List<LedgerRow> changed = new ArrayList<>();
  private final List<KeyValue<Bytes, byte[]>> others = new ArrayList<>();
  private int holders;
  private @Nullable QuotaKey foundKey;
  private @Nullable LedgerRow found;

  /**
   * @param partitions there are: all of them may be this process's
   */
  LedgerRows(KeyValueStore<Bytes, byte[]> store, int partitions) {
    this.store = store;
    long bytes = (long) (SHARE_OF_HEAP * Runtime.getRuntime().maxMemory());
    this.mostHolders =
        (int)
            Math.max(
                LEAST_HOLDERS, Math.min(Integer.MAX_VALUE, bytes / BYTES_PER_HOLDER / partitions));
  }

  Optional<KeyLedger> ledger(QuotaKey key) {
    LedgerRow known = find(key);
    if (known != null) {
      return Optional.of(known.ledger());
    }
    byte[] value = store.get(row(key));
    if (value == null) {
      return Optional.empty();
    }
    LedgerRow read = LedgerRow.read(key, value);
    add(read);
    return Optional.of(read.ledger());
  }

  /** As {@link #ledger}, for a key that is not in use: it is not kept at hand. */
  Optional<LedgerRow> newest(QuotaKey key) {
    LedgerRow known = lately.get(key);
    return known != null
        ? Optional.of(known)
        : Optional.ofNullable(store.get(row(key))).map(value -> LedgerRow.read(key, value));
  }

  /** What is done with a key is done with the same object one after the other. */
  private @Nullable LedgerRow find(QuotaKey key) {
    if (key != foundKey) {
      found = lately.get(key);
      foundKey = key;
    }
    return found;
  }

  void put(QuotaKey key, KeyLedger ledger) {
    LedgerRow known = find(key);
    if (known == null) {
      known = LedgerRow.first(key, ledger);
      add(known);
    } else {
      holders -= known.weight();
      known.put(ledger);
      holders += known.weight();
    }
    change(known);
  }

  /** Adds a row of another kind, which nobody reads before it is written. */
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
    row.count(changes, store, newCounts);
    change(row);
  }

  /**
   * Writes what changed to the store, all at once.
   *
   * @param countsFrom windows that ended before need not be counted any more
   */
  void write(long countsFrom) {
    if (changed.isEmpty() && others.isEmpty()) {
      return;
    }
    List<KeyValue<Bytes, byte[]>> rows = new ArrayList<>(2 * changed.size() + others.size());
    rows.addAll(others);
    others.clear();
    for (LedgerRow row : changed) {
      row.write(countsFrom, rows);
    }
    store.putAll(rows);
    changed.clear();
    forgetOldest();
  }

  /**
   * Deletes a ledger, but not what was counted; false, and nothing is done, if it changed in this
   * transaction.
   *
   * @param row {@linkplain #newest the newest}
   */
  boolean delete(LedgerRow row) {
    if (row.isChanged()) {
      return false;
    }
    row.newestCount().ifPresent(count -> store.put(count.key(), count.value()));
    store.delete(row(row.key()));
    if (lately.remove(row.key()) != null) {
      holders -= row.weight();
    }
    foundKey = null;
    return true;
  }

  /** Deletes what was counted in a key's windows up to one. */
  void deleteCounts(QuotaKey key, long last) {
    List<Bytes> gone = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> counts =
        store.range(WindowCountRow.key(key, 0), WindowCountRow.key(key, last))) {
      counts.forEachRemaining(row -> gone.add(row.key));
    }
    gone.forEach(store::delete);
    newest(key)
        .filter(row -> row.removeCounts(last))
        .ifPresent(
            row -> {
              if (lately.putIfAbsent(key, row) == null) {
                holders += row.weight();
              }
              change(row);
            });
    foundKey = null;
  }

  static Bytes row(QuotaKey key) {
    return WindowCounts.ledgerKey(key);
  }

  private void add(LedgerRow row) {
    lately.put(row.key(), row);
    holders += row.weight();
    found = row;
    foundKey = row.key();
  }

  private void change(LedgerRow row) {
    if (row.change()) {
      changed.add(row);
    }
  }

  /** Nothing is changed now that is not written. */
  private void forgetOldest() {
    foundKey = null;
    Iterator<LedgerRow> oldest = lately.values().iterator();
    while (holders > mostHolders && oldest.hasNext()) {
      holders -= oldest.next().weight();
      oldest.remove();
    }
  }
}
