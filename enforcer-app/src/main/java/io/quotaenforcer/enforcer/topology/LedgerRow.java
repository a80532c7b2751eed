package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.WrittenLedger;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;

/** A quota key's ledger and newest counts, in the open transaction. */
final class LedgerRow {
  /** More than this move to a row of their own, together. */
  private static final int MOST_COUNTS = 8;

  /** Windows that are likely to be counted in again. */
  private static final int LIKELY_COUNTS = 2;

  private final QuotaKey key;
  private final Bytes storeKey;
  private final WrittenLedger written;
  private final List<WindowCount> counts;
  private KeyLedger ledger;
  private long seenToUntil;
  private boolean changed;

  private LedgerRow(
      QuotaKey key,
      Bytes storeKey,
      KeyLedger ledger,
      List<WindowCount> counts,
      WrittenLedger written,
      long seenToUntil) {
    this.key = key;
    this.storeKey = storeKey;
    this.ledger = ledger;
    this.counts = new ArrayList<>(counts);
    this.written = written;
    this.seenToUntil = seenToUntil;
  }

  /** Counts of new windows. */
  interface NewCounts {
    /**
     * Schedules their deletion.
     *
     * @return the last window scheduled; all earlier ones are
     */
    long begin(QuotaKey key, long windowStartNanos, long periodNanos);
  }

  /** The first row of a key without a ledger. */
  static LedgerRow first(QuotaKey key, Bytes storeKey, KeyLedger ledger) {
    LedgerRow row =
        new LedgerRow(key, storeKey, ledger, List.of(), WrittenLedger.NONE, Long.MIN_VALUE);
    row.changed = true;
    return row;
  }

  /**
   * @param seenToUntil the last window whose counts are scheduled already
   */
  static LedgerRow of(QuotaKey key, Bytes storeKey, KeyLedgerCodec.Row row, long seenToUntil) {
    return new LedgerRow(key, storeKey, row.ledger(), row.counts(), row.written(), seenToUntil);
  }

  QuotaKey key() {
    return key;
  }

  Bytes storeKey() {
    return storeKey;
  }

  KeyLedger ledger() {
    return ledger;
  }

  void put(KeyLedger newer) {
    ledger = newer;
    changed = true;
  }

  /** Whether it differs from the store. */
  boolean isChanged() {
    return changed;
  }

  /** Marks the row as different from the store. */
  void change() {
    changed = true;
  }

  long seenToUntil() {
    return seenToUntil;
  }

  /** Counts of the newest windows, oldest first. */
  List<WindowCount> counts() {
    return counts;
  }

  /** Adds to the counts. */
  void count(List<WindowCount> changes, NewCounts newCounts) {
    changed = true;
    for (WindowCount change : changes) {
      long window = change.windowStartNanos();
      int at = counts.size();
      while (at > 0 && counts.get(at - 1).windowStartNanos() > window) {
        at--;
      }
      if (at > 0 && counts.get(at - 1).windowStartNanos() == window) {
        counts.set(at - 1, counts.get(at - 1).plus(change));
      } else {
        counts.add(at, change);
        if (window > seenToUntil) {
          seenToUntil = newCounts.begin(key, window, ledger.limit().periodNanos());
        }
      }
    }
  }

  /** Forgets the counts of windows up to one; returns whether the row changed. */
  boolean removeCounts(long last) {
    return counts.removeIf(count -> count.windowStartNanos() <= last);
  }

  /** Whether there are enough counts to move some to a row of their own. */
  boolean hasCountsToMove() {
    return counts.size() > MOST_COUNTS;
  }

  /**
   * Takes out the counts that are to move to a row of their own.
   *
   * @param countsFrom windows that ended before need not be counted any more
   */
  List<WindowCount> takeCountsToMove(long countsFrom) {
    if (!hasCountsToMove()) {
      return List.of();
    }
    List<WindowCount> older = counts.subList(0, counts.size() - LIKELY_COUNTS);
    List<WindowCount> move =
        older.stream()
            .filter(count -> ledger.limit().windowEnd(count.windowStartNanos()) >= countsFrom)
            .toList();
    older.clear();
    return move;
  }

  /** The row's bytes for the store. */
  byte[] write() {
    return KeyLedgerCodec.write(ledger, counts, written);
  }
}
