package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.RuleSet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Counts of request events since the last report to the ledger. Each report makes one cell of them
 * that is closed from the start, under an id that is never used again: the ledger books it once
 * however often it reads it.
 *
 * <p>Rows: quota key text, zero, generation, window start → permits used, permits throttled. One
 * more row, under a zero byte, holds epoch and last cell id.
 */
final class CombinerStore {
  private static final Bytes IDENTITY_ROW = Bytes.wrap(new byte[] {0});
  private static final int KEY_TAIL = 1 + 2 * Long.BYTES;
  private static final long NANOS_PER_MICRO = 1_000L;

  private final KeyValueStore<Bytes, byte[]> store;
  private final long epoch;
  private long lastCell;

  CombinerStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
    byte[] identity = store.get(IDENTITY_ROW);
    if (identity == null) {
      // A store that was lost begins a new epoch: its ids start again.
      epoch = new SecureRandom().nextLong();
    } else {
      ByteBuffer bytes = ByteBuffer.wrap(identity);
      epoch = bytes.getLong();
      lastCell = bytes.getLong();
    }
  }

  void add(RuleSet.Match match, RequestEvent event) {
    Limit limit = match.rule().limitOf(match.quotaKey());
    long window =
        limit.permitsBelongToWindow() ? limit.windowStart(event.timeMicros() * NANOS_PER_MICRO) : 0;
    Bytes row = row(match.quotaKey(), match.rule().generation(), window);
    byte[] before = store.get(row);
    ByteBuffer counts =
        before == null ? ByteBuffer.allocate(2 * Long.BYTES) : ByteBuffer.wrap(before.clone());
    int at = event.outcome() == Outcome.ADMITTED ? 0 : Long.BYTES;
    counts.putLong(at, counts.getLong(at) + event.request().cost());
    store.put(row, counts.array());
  }

  /** Takes out all counts, as reports by partition of the ledger. */
  Map<Integer, UsageReport> take(String instance, int partitions) {
    Map<KeyGeneration, List<CellUsage>> cells = new LinkedHashMap<>();
    List<Bytes> taken = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> rows = store.all()) {
      while (rows.hasNext()) {
        KeyValue<Bytes, byte[]> row = rows.next();
        if (!row.key.equals(IDENTITY_ROW)) {
          taken.add(row.key);
          read(row, cells);
        }
      }
    }
    if (taken.isEmpty()) {
      return Map.of();
    }
    taken.forEach(store::delete);
    store.put(
        IDENTITY_ROW, ByteBuffer.allocate(2 * Long.BYTES).putLong(epoch).putLong(lastCell).array());
    Map<Integer, List<QuotaUsage>> byPartition = new TreeMap<>();
    cells.forEach(
        (key, usage) ->
            byPartition
                .computeIfAbsent(key.quotaKey().partition(partitions), p -> new ArrayList<>())
                .add(new QuotaUsage(key.quotaKey(), key.generation(), 0, 0, usage)));
    Map<Integer, UsageReport> reports = new TreeMap<>();
    byPartition.forEach(
        (partition, quotas) ->
            reports.put(partition, new UsageReport(instance, epoch, 0, 0, -1, quotas)));
    return reports;
  }

  private record KeyGeneration(QuotaKey quotaKey, long generation) {}

  private void read(KeyValue<Bytes, byte[]> row, Map<KeyGeneration, List<CellUsage>> cells) {
    ByteBuffer key = ByteBuffer.wrap(row.key.get());
    int textLength = key.remaining() - KEY_TAIL;
    String text = new String(row.key.get(), 0, textLength, StandardCharsets.UTF_8);
    long generation = key.getLong(textLength + 1);
    long window = key.getLong(textLength + 1 + Long.BYTES);
    ByteBuffer counts = ByteBuffer.wrap(row.value);
    lastCell++;
    cells
        .computeIfAbsent(
            new KeyGeneration(QuotaKey.parse(text), generation), k -> new ArrayList<>())
        .add(new CellUsage(-lastCell, window, 0, counts.getLong(), 0, 0, counts.getLong(), true));
  }

  private static Bytes row(QuotaKey key, long generation, long window) {
    byte[] text = key.toString().getBytes(StandardCharsets.UTF_8);
    return Bytes.wrap(
        ByteBuffer.allocate(text.length + KEY_TAIL)
            .put(text)
            .put((byte) 0)
            .putLong(generation)
            .putLong(window)
            .array());
  }
}
