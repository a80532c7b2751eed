package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralInput.Purge;
import io.quotaenforcer.enforcer.store.QueueRowKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/** Removes all requests of a scope, some in each tick; continues after a crash. */
final class Purges {
  private static final int KEYS_AT_ONCE = 100;

  private final QueueRows rows;
  private final Removals removals;
  private final Queue<Work> work = new ArrayDeque<>();

  /** A purge, its progress, and the queue that it has begun. */
  private static final class Work {
    final String scope;
    final long untilMillis;
    final String reason;
    final QueueScan scan;
    final Queue<QuotaKey> keys = new ArrayDeque<>();

    Work(String scope, long untilMillis, String reason) {
      this.scope = scope;
      this.untilMillis = untilMillis;
      this.reason = reason;
      this.scan = new QueueScan(scope);
    }
  }

  Purges(QueueRows rows, Removals removals) {
    this.rows = rows;
    this.removals = removals;
    try (KeyValueIterator<Bytes, byte[]> purges = rows.purges()) {
      while (purges.hasNext()) {
        KeyValue<Bytes, byte[]> row = purges.next();
        ByteBuffer value = ByteBuffer.wrap(row.value);
        long untilMillis = value.getLong();
        String reason = StandardCharsets.UTF_8.decode(value).toString();
        work.add(new Work(QueueRowKind.text(row.key), untilMillis, reason));
      }
    }
  }

  boolean isIdle() {
    return work.isEmpty();
  }

  /** Starts to purge the requests that are waiting in the scope now. */
  void begin(Purge purge, long nowMillis) {
    String reason = "purged: " + purge.reason();
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    rows.putPurge(
        purge.scope(),
        ByteBuffer.allocate(Long.BYTES + text.length).putLong(nowMillis).put(text).array());
    work.removeIf(before -> before.scope.equals(purge.scope()));
    work.add(new Work(purge.scope(), nowMillis, reason));
  }

  /** Removes at most {@code most} requests. */
  void go(int most, long now) {
    int left = most;
    for (Work purge = work.peek(); purge != null && left > 0; purge = work.peek()) {
      @Nullable QuotaKey key = next(purge, now);
      if (key == null) {
        rows.deletePurge(purge.scope);
        work.remove();
        continue;
      }
      int removed = removals.removeAll(key, purge.untilMillis, purge.reason, left, now);
      if (removed < left) {
        purge.keys.remove();
      }
      // A queue with nothing to remove also costs something.
      left -= Math.max(1, removed);
    }
  }

  private @Nullable QuotaKey next(Work purge, long now) {
    if (purge.keys.isEmpty() && !purge.scan.isDone()) {
      rows.flush(now);
      purge.keys.addAll(purge.scan.nextKeys(rows, KEYS_AT_ONCE));
    }
    return purge.keys.peek();
  }
}
