package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.WindowCountRow;
import io.quotaenforcer.enforcer.store.WindowCounts;
import io.quotaenforcer.enforcer.store.WrittenLedger;
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
  private final Map<QuotaKey, Row> lately = new LinkedHashMap<>(16, 0.75f, true);
  private final List<Row> changed = new ArrayList<>();
  private final List<KeyValue<Bytes, byte[]>> others = new ArrayList<>();
  private int holders;
  private @Nullable QuotaKey foundKey;
  private @Nullable Row found;

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

  /** A key's rows, as far as they were looked at. */
  private static final class Row {
    private final QuotaKey key;
    private final Bytes storeKey;
    private final List<Count> counts = new ArrayList<>(1);
    private KeyLedger ledger;
    private WrittenLedger written = WrittenLedger.NONE;
    private long countedUntil;
    private long seenToUntil = Long.MIN_VALUE;
    private boolean changed;

    /**
     * @param countedUntil no window that begins later has a count yet
     */
    Row(QuotaKey key, KeyLedger ledger, long countedUntil) {
      this.key = key;
      this.storeKey = row(key);
      this.ledger = ledger;
      this.countedUntil = countedUntil;
    }

    /** Of a key whose ledger was written when it was last counted, in that window or the next. */
    static Row read(QuotaKey key, byte[] value) {
      KeyLedger ledger = KeyLedgerCodec.read(value);
      long window = ledger.limit().windowStart(ledger.timeNanos());
      Row row = new Row(key, ledger, ledger.limit().windowEnd(window));
      KeyLedgerCodec.readNewestCount(value).ifPresent(count -> row.counts.add(Count.of(count)));
      return row;
    }

    /** What its ledger's row holds; counts of other windows have rows of their own. */
    Optional<WindowCount> newestCount() {
      WindowCount newest = null;
      for (Count count : counts) {
        if (newest == null || count.window > newest.windowStartNanos()) {
          newest = new WindowCount(count.window, count.used, count.throttled);
        }
      }
      return Optional.ofNullable(newest);
    }

    int weight() {
      return 1 + ledger.holders().size();
    }
  }

  /** What is counted in a window, in all. */
  private static final class Count {
    private final long window;
    private long used;
    private long throttled;

    Count(long window) {
      this.window = window;
    }

    static Count of(WindowCount known) {
      Count count = new Count(known.windowStartNanos());
      count.used = known.used();
      count.throttled = known.throttled();
      return count;
    }
  }

  /** Counts that have no rows yet. */
  interface NewCounts {
    /**
     * Sees to it that they go when it is time.
     *
     * @return the last window that this was done for; it was for all before
     */
    long begin(QuotaKey key, long windowStartNanos, long periodNanos);
  }

  Optional<KeyLedger> ledger(QuotaKey key) {
    Row known = find(key);
    if (known != null) {
      return Optional.of(known.ledger);
    }
    byte[] value = store.get(row(key));
    if (value == null) {
      return Optional.empty();
    }
    Row read = Row.read(key, value);
    add(read);
    return Optional.of(read.ledger);
  }

  /** As {@link #ledger}, for a key that is not in use: it is not kept at hand. */
  Optional<KeyLedger> newest(QuotaKey key) {
    return newestRow(key).map(row -> row.ledger);
  }

  private Optional<Row> newestRow(QuotaKey key) {
    Row known = lately.get(key);
    return known != null
        ? Optional.of(known)
        : Optional.ofNullable(store.get(row(key))).map(value -> Row.read(key, value));
  }

  /** What is done with a key is done with the same object one after the other. */
  private @Nullable Row find(QuotaKey key) {
    if (key != foundKey) {
      found = lately.get(key);
      foundKey = key;
    }
    return found;
  }

  void put(QuotaKey key, KeyLedger ledger) {
    Row known = find(key);
    if (known == null) {
      // One that was forgotten may have counts that were not.
      known = new Row(key, ledger, Long.MAX_VALUE);
      add(known);
    } else {
      holders += ledger.holders().size() - known.ledger.holders().size();
      known.ledger = ledger;
    }
    change(known);
  }

  /** Adds a row of another kind, which nobody reads before it is written. */
  void add(KeyValue<Bytes, byte[]> row) {
    others.add(row);
  }

  /** Adds to the counts of a key whose ledger was {@linkplain #put put}. */
  void add(QuotaKey key, List<WindowCount> changes, NewCounts newCounts) {
    if (changes.isEmpty()) {
      return;
    }
    Row row = find(key);
    if (row == null) {
      throw new IllegalStateException("must have a ledger: quotaKey=" + key);
    }
    for (WindowCount change : changes) {
      Count count = count(row, change.windowStartNanos(), newCounts);
      count.used += change.used();
      count.throttled += change.throttled();
    }
    change(row);
  }

  private Count count(Row row, long window, NewCounts newCounts) {
    for (Count known : row.counts) {
      if (known.window == window) {
        return known;
      }
    }
    Count count = new Count(window);
    Bytes key = WindowCountRow.key(row.key, window);
    byte[] value = window > row.countedUntil ? null : store.get(key);
    if (value == null) {
      if (window > row.seenToUntil) {
        row.seenToUntil = newCounts.begin(row.key, window, row.ledger.limit().periodNanos());
      }
    } else {
      WindowCountRow before = WindowCountRow.read(key, value);
      count.used = before.used();
      count.throttled = before.throttled();
    }
    row.counts.add(count);
    row.countedUntil = Math.max(row.countedUntil, window);
    return count;
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
    for (Row row : changed) {
      Optional<WindowCount> newest = row.newestCount();
      row.written = KeyLedgerCodec.write(row.ledger, newest, row.written);
      rows.add(KeyValue.pair(row.storeKey, row.written.bytes()));
      if (row.counts.size() > 1) {
        long kept = newest.orElseThrow().windowStartNanos();
        writeCountsBefore(kept, row, countsFrom, rows);
        row.counts.removeIf(count -> count.window != kept);
      }
      row.changed = false;
    }
    store.putAll(rows);
    changed.clear();
    forgetOldest();
  }

  /** What was the newest window, or is older and was counted in again. */
  private static void writeCountsBefore(
      long newest, Row row, long countsFrom, List<KeyValue<Bytes, byte[]>> rows) {
    for (Count count : row.counts) {
      boolean kept = row.ledger.limit().windowEnd(count.window) >= countsFrom;
      if (count.window < newest && kept) {
        WindowCountRow counted =
            new WindowCountRow(row.key, count.window, count.used, count.throttled);
        rows.add(KeyValue.pair(counted.key(), counted.value()));
      }
    }
  }

  /**
   * Deletes a key's ledger, but not what was counted; false, and nothing is done, if it changed in
   * this transaction.
   */
  boolean delete(QuotaKey key) {
    Optional<Row> row = newestRow(key);
    if (row.isEmpty() || row.get().changed) {
      return false;
    }
    row.get()
        .newestCount()
        .map(count -> WindowCountRow.of(key, count))
        .ifPresent(count -> store.put(count.key(), count.value()));
    store.delete(row(key));
    if (lately.remove(key) != null) {
      holders -= row.get().weight();
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
    newestRow(key)
        .filter(row -> row.counts.removeIf(count -> count.window <= last))
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

  private void add(Row row) {
    lately.put(row.key, row);
    holders += row.weight();
    found = row;
    foundKey = row.key;
  }

  private void change(Row row) {
    if (!row.changed) {
      row.changed = true;
      changed.add(row);
    }
  }

  /** Nothing is changed now that is not written. */
  private void forgetOldest() {
    foundKey = null;
    Iterator<Row> oldest = lately.values().iterator();
    while (holders > mostHolders && oldest.hasNext()) {
      holders -= oldest.next().weight();
      oldest.remove();
    }
  }
}
