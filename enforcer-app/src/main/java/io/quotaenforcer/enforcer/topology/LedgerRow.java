package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.WindowCountRow;
import io.quotaenforcer.enforcer.store.WindowCounts;
import io.quotaenforcer.enforcer.store.WrittenLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A quota key's ledger and counts, as far as they were looked at. */
final class LedgerRow {
  private final QuotaKey key;
  private final Bytes storeKey;
  private final List<Count> counts = new ArrayList<>(1);
  private KeyLedger ledger;
  private WrittenLedger written = WrittenLedger.NONE;

  /** No window that begins later has a count yet. */
  private long countedUntil;

  private long seenToUntil = Long.MIN_VALUE;
  private boolean changed;

  private LedgerRow(QuotaKey key, KeyLedger ledger, long countedUntil) {
    this.key = key;
    this.storeKey = WindowCounts.ledgerKey(key);
    this.ledger = ledger;
    this.countedUntil = countedUntil;
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

  /** What is counted in a window, in all. */
  private static final class Count {
    private final long window;
    private long used;
    private long throttled;

    Count(long window, long used, long throttled) {
      this.window = window;
      this.used = used;
      this.throttled = throttled;
    }
  }

  /** Of a key that has no ledger; of an earlier one, there may be counts. */
  static LedgerRow first(QuotaKey key, KeyLedger ledger) {
    return new LedgerRow(key, ledger, Long.MAX_VALUE);
  }

  /** Of a key whose ledger was written when it was last counted, in that window or the next. */
  static LedgerRow read(QuotaKey key, byte[] value) {
    KeyLedger ledger = KeyLedgerCodec.read(value);
    long window = ledger.limit().windowStart(ledger.timeNanos());
    LedgerRow row = new LedgerRow(key, ledger, ledger.limit().windowEnd(window));
    KeyLedgerCodec.readNewestCount(value)
        .ifPresent(
            known ->
                row.counts.add(
                    new Count(known.windowStartNanos(), known.used(), known.throttled())));
    return row;
  }

  QuotaKey key() {
    return key;
  }

  KeyLedger ledger() {
    return ledger;
  }

  void put(KeyLedger newer) {
    ledger = newer;
  }

  /** How much of the heap it takes, in holders. */
  int weight() {
    return 1 + ledger.holders().size();
  }

  /** Whether it differs from the store. */
  boolean isChanged() {
    return changed;
  }

  /** It differs from the store now; whether it did not before. */
  boolean change() {
    boolean first = !changed;
    changed = true;
    return first;
  }

  /** Adds to the counts. */
  void count(List<WindowCount> changes, KeyValueStore<Bytes, byte[]> store, NewCounts newCounts) {
    for (WindowCount change : changes) {
      Count count = count(change.windowStartNanos(), store, newCounts);
      count.used += change.used();
      count.throttled += change.throttled();
    }
  }

  private Count count(long window, KeyValueStore<Bytes, byte[]> store, NewCounts newCounts) {
    for (Count known : counts) {
      if (known.window == window) {
        return known;
      }
    }
    Bytes countKey = WindowCountRow.key(key, window);
    byte[] value = window > countedUntil ? null : store.get(countKey);
    Count count;
    if (value == null) {
      count = new Count(window, 0, 0);
      if (window > seenToUntil) {
        seenToUntil = newCounts.begin(key, window, ledger.limit().periodNanos());
      }
    } else {
      WindowCountRow before = WindowCountRow.read(countKey, value);
      count = new Count(window, before.used(), before.throttled());
    }
    counts.add(count);
    countedUntil = Math.max(countedUntil, window);
    return count;
  }

  /** What the ledger's row holds; counts of other windows have rows of their own. */
  Optional<WindowCountRow> newestCount() {
    return Optional.ofNullable(newest())
        .map(count -> new WindowCountRow(key, count.window, count.used, count.throttled));
  }

  private @Nullable Count newest() {
    Count newest = null;
    for (Count count : counts) {
      newest = newest == null || count.window > newest.window ? count : newest;
    }
    return newest;
  }

  /** Forgets what was counted in windows up to one; whether the row holds something else now. */
  boolean removeCounts(long last) {
    return counts.removeIf(count -> count.window <= last);
  }

  /**
   * Adds the rows that are to be stored, and from then on does not differ from the store.
   *
   * @param countsFrom windows that ended before need not be counted any more
   */
  void write(long countsFrom, List<KeyValue<Bytes, byte[]>> rows) {
    Count newest = newest();
    Optional<WindowCount> count =
        Optional.ofNullable(newest)
            .map(known -> new WindowCount(known.window, known.used, known.throttled));
    written = KeyLedgerCodec.write(ledger, count, written);
    rows.add(KeyValue.pair(storeKey, written.bytes()));
    if (counts.size() > 1) {
      for (Count other : counts) {
        // It was the newest until now, or is older and was counted in again.
        if (other != newest && ledger.limit().windowEnd(other.window) >= countsFrom) {
          WindowCountRow row = new WindowCountRow(key, other.window, other.used, other.throttled);
          rows.add(KeyValue.pair(row.key(), row.value()));
        }
      }
      counts.removeIf(other -> other != newest);
    }
    changed = false;
  }
}
