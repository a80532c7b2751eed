package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.store.CountsRow;
import io.quotaenforcer.enforcer.store.DueIndex;
import io.quotaenforcer.enforcer.store.RowKind;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.enforcer.store.WindowCounts;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rows of one ledger task, and their deletion. */
final class LedgerStores {
  private static final Logger log = LoggerFactory.getLogger(LedgerStores.class);

  private static final int ROWS_PER_TICK = 10_000;

  /** Counts are kept beyond their retention by up to one part in this many of it. */
  private static final int SPANS_OF_RETENTION = 16;

  private final KeyValueStore<Bytes, byte[]> store;
  private final DueIndex due;
  private final LedgerRows rows;
  private final EnforcerTime time;
  private final long retentionNanos;
  private final long countsRetentionNanos;
  private final long forgetLedgersFrom;

  LedgerStores(ProcessingContext context, TopologySettings settings) {
    store = context.getStateStore(Stores.LEDGER);
    due = new DueIndex(store, RowKind.DUE.ordinal());
    rows = new LedgerRows(store, RowCache.oneOf(settings.partitions()));
    time = new EnforcerTime(settings.ledger(), settings.clock(), store);
    retentionNanos = settings.ledger().retentionNanos();
    countsRetentionNanos = settings.countsRetention().toNanos();
    // Reports that waited while no enforcer ran must still find the ledger that they were last
    // booked to.
    forgetLedgersFrom = time.now() + retentionNanos;
    warnOfAdoptedTime(context.taskId());
  }

  private void warnOfAdoptedTime(TaskId task) {
    if (!time.adopted().isZero()) {
      log.warn(
          "partition {} was left by an enforcer whose clock was {} s ahead of this one's: its time"
              + " goes on from there at nine tenths of the pace until they agree; windows are"
              + " ahead of true time meanwhile",
          task.partition(),
          time.adopted().toSeconds());
    }
  }

  /** The partition's time stands still until the enforcer's clock has reached this. */
  long standsStillUntil() {
    return time.now() - time.adopted().toNanos();
  }

  long now() {
    return time.now();
  }

  Optional<KeyLedger> ledger(QuotaKey key) {
    return rows.ledger(key);
  }

  void write(QuotaKey key, KeyLedger ledger, boolean isNew) {
    if (isNew) {
      long at = lookAgain(ledger.forgettableFrom(retentionNanos), time.now());
      rows.add(due.entry(at, LedgerRows.row(key)));
    }
    rows.put(key, ledger);
  }

  /** The previous key is not used further for now. */
  void rest() {
    rows.rest();
  }

  /** Writes every row that changed since the last commit. */
  void finish() {
    rows.write(time.now() - countsRetentionNanos);
  }

  void writeTime(long commit) {
    time.write(commit);
  }

  /**
   * Writes the time until which answers may be given after the commit.
   *
   * @param transactionNanos how long the transaction before took
   */
  void finishTime(long commit, long transactionNanos) {
    time.finish(commit, transactionNanos);
  }

  /** Stops answering, and tells the successor so. */
  void handOver() {
    time.handOver();
  }

  /** Whether present grants may leave at once. */
  boolean mayAnswer(long commit) {
    return time.mayAnswer(commit);
  }

  Tenure tenure(long commit) {
    return time.tenure(commit);
  }

  void add(QuotaKey key, List<WindowCount> changes) {
    rows.add(key, changes, this::keepUntilDue);
  }

  /**
   * Counts of a quota key go together, some windows at a time: an entry for each would cost as much
   * as the counts.
   */
  private long keepUntilDue(QuotaKey key, long window, long period) {
    long span = Math.max(1, countsRetentionNanos / SPANS_OF_RETENTION);
    long last = (Math.floorDiv(Math.max(window, time.now()), span) + 1) * span - 1;
    rows.add(due.entry(last + period + countsRetentionNanos, CountsRow.key(key, last)));
    return last;
  }

  /** Removes rows that can no longer matter. */
  void tidy() {
    long now = time.now();
    for (DueIndex.Due entry : due.take(now, ROWS_PER_TICK)) {
      if (RowKind.COUNT.is(entry.row())) {
        tidyCounts(entry.row());
      } else {
        tidyLedger(entry.row(), now);
      }
    }
  }

  /** All windows of the quota key up to the given one. */
  private void tidyCounts(Bytes last) {
    rows.deleteCounts(CountsRow.quotaKey(last), CountsRow.newestWindow(last));
  }

  private void tidyLedger(Bytes row, long now) {
    Optional<LedgerRow> newest = rows.newest(WindowCounts.ledgerOf(row));
    if (newest.isEmpty()) {
      return;
    }
    long forgettableFrom = newest.get().ledger().forgettableFrom(retentionNanos);
    long from = Math.max(forgettableFrom, forgetLedgersFrom);
    if (from > now || !rows.delete(newest.get())) {
      due.add(lookAgain(from, now), row);
    }
  }

  /** A cell that is open keeps its ledger for long, but is likely to be closed soon. */
  private long lookAgain(long forgettableFrom, long now) {
    return Math.min(forgettableFrom, now + retentionNanos);
  }
}
