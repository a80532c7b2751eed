package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.store.DueIndex;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.RowKind;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.enforcer.store.WindowCountRow;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.KeyValueStore;

/** The rows of one ledger task, and when they may go. */
final class LedgerStores {
  private static final int ROWS_PER_TICK = 10_000;

  private final KeyValueStore<Bytes, byte[]> store;
  private final DueIndex due;
  private final ReadLedgers read = new ReadLedgers();
  private final EnforcerTime time;
  private final long retentionNanos;
  private final long countsRetentionNanos;
  private final long forgetLedgersFrom;

  LedgerStores(ProcessingContext context, TopologySettings settings) {
    store = context.getStateStore(Stores.LEDGER);
    due = new DueIndex(store, RowKind.DUE.ordinal());
    time = new EnforcerTime(settings.ledger(), settings.epochNanos(), store);
    retentionNanos = settings.ledger().retentionNanos();
    countsRetentionNanos = settings.countsRetention().toNanos();
    // Reports that waited while no enforcer ran must still find what they were last booked to.
    forgetLedgersFrom = time.now() + retentionNanos;
  }

  long now() {
    return time.now();
  }

  Optional<KeyLedger> ledger(QuotaKey key) {
    byte[] value = store.get(row(key));
    return value == null ? Optional.empty() : Optional.of(read.ledger(key, value));
  }

  void write(QuotaKey key, KeyLedger ledger, boolean isNew) {
    Bytes row = row(key);
    if (isNew) {
      due.add(lookAgain(ledger.forgettableFrom(retentionNanos), time.now()), row);
    }
    byte[] value = KeyLedgerCodec.write(ledger);
    store.put(row, value);
    read.remember(key, value, ledger);
  }

  void writeTime(long commit) {
    time.write(commit);
  }

  /** Answers nothing from now on, and says so to the successor. */
  void handOver() {
    time.handOver();
  }

  /** Whether grants of now may leave at once. */
  boolean mayAnswer(long commit) {
    return time.mayAnswer(commit);
  }

  Tenure tenure(long commit) {
    return time.tenure(commit);
  }

  void add(QuotaKey key, List<WindowCount> changes) {
    for (WindowCount change : changes) {
      long window = change.windowStartNanos();
      Bytes row = WindowCountRow.key(key, window);
      byte[] before = store.get(row);
      if (before == null) {
        due.add(Math.max(window, time.now()) + countsRetentionNanos, row);
      }
      store.put(row, WindowCountRow.increased(before, change.used(), change.throttled()));
    }
  }

  /** Removes rows that can no longer matter. */
  void tidy() {
    long now = time.now();
    for (DueIndex.Due entry : due.take(now, ROWS_PER_TICK)) {
      if (RowKind.COUNT.is(entry.row())) {
        store.delete(entry.row());
      } else {
        tidyLedger(entry.row(), now);
      }
    }
  }

  private void tidyLedger(Bytes row, long now) {
    byte[] value = store.get(row);
    if (value == null) {
      return;
    }
    long from =
        Math.max(KeyLedgerCodec.read(value).forgettableFrom(retentionNanos), forgetLedgersFrom);
    if (from <= now) {
      store.delete(row);
    } else {
      due.add(lookAgain(from, now), row);
    }
  }

  /** A cell that is open keeps its ledger for long, but is likely to be closed soon. */
  private long lookAgain(long forgettableFrom, long now) {
    return Math.min(forgettableFrom, now + retentionNanos);
  }

  private static Bytes row(QuotaKey key) {
    return RowKind.LEDGER.key(key.toString().getBytes(StandardCharsets.UTF_8));
  }
}
