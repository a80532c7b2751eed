package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.enforcer.store.WindowCountRow;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.KeyValueStore;

/** The stores of one ledger task, and when their rows may go. */
final class LedgerStores {
  private static final byte LEDGER_ROW = 1;
  private static final byte COUNT_ROW = 2;
  private static final int ROWS_PER_TICK = 10_000;

  private final KeyValueStore<Bytes, byte[]> ledgers;
  private final KeyValueStore<Bytes, byte[]> counts;
  private final DueIndex due;
  private final EnforcerTime time;
  private final long retentionNanos;
  private final long countsRetentionNanos;
  private final long forgetLedgersFrom;

  LedgerStores(ProcessingContext context, TopologySettings settings) {
    ledgers = context.getStateStore(Stores.LEDGER);
    counts = context.getStateStore(Stores.COUNTS);
    due = new DueIndex(context.getStateStore(Stores.DUE));
    time = new EnforcerTime(settings.epochNanos(), ledgers);
    retentionNanos = settings.ledger().retentionNanos();
    countsRetentionNanos = settings.countsRetention().toNanos();
    // Reports that waited while no enforcer ran must still find what they were last booked to.
    forgetLedgersFrom = time.now() + retentionNanos;
  }

  long now() {
    return time.now();
  }

  Optional<KeyLedger> ledger(QuotaKey key) {
    byte[] row = ledgers.get(row(key));
    return row == null ? Optional.empty() : Optional.of(KeyLedgerCodec.read(row));
  }

  void write(QuotaKey key, KeyLedger ledger, boolean isNew) {
    Bytes row = row(key);
    if (isNew) {
      due.add(ledger.forgettableFrom(retentionNanos), LEDGER_ROW, row);
    }
    ledgers.put(row, KeyLedgerCodec.write(ledger));
    time.write();
  }

  void add(QuotaKey key, List<WindowCount> changes) {
    for (WindowCount change : changes) {
      long window = change.windowStartNanos();
      Bytes row = WindowCountRow.key(key, window);
      byte[] before = counts.get(row);
      WindowCountRow known =
          before == null ? new WindowCountRow(key, window, 0, 0) : WindowCountRow.read(row, before);
      if (before == null) {
        due.add(Math.max(window, time.now()) + countsRetentionNanos, COUNT_ROW, row);
      }
      counts.put(
          row,
          new WindowCountRow(
                  key, window, known.used() + change.used(), known.throttled() + change.throttled())
              .value());
    }
  }

  /** Removes rows that can no longer matter. */
  void tidy() {
    long now = time.now();
    for (DueIndex.Due entry : due.take(now, ROWS_PER_TICK)) {
      if (entry.kind() == COUNT_ROW) {
        counts.delete(entry.row());
      } else {
        tidyLedger(entry.row(), now);
      }
    }
  }

  private void tidyLedger(Bytes row, long now) {
    byte[] value = ledgers.get(row);
    if (value == null) {
      return;
    }
    long from =
        Math.max(KeyLedgerCodec.read(value).forgettableFrom(retentionNanos), forgetLedgersFrom);
    if (from <= now) {
      ledgers.delete(row);
    } else {
      due.add(from, LEDGER_ROW, row);
    }
  }

  private static Bytes row(QuotaKey key) {
    return Bytes.wrap(key.toString().getBytes(StandardCharsets.UTF_8));
  }
}
