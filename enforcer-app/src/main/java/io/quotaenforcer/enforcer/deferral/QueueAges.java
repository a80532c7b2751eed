package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.store.KeyQueueRow;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/**
 * Since when the oldest request of each rule waits, as of the last walk through all queues. As many
 * queues are looked at in each second as cost nothing that is felt.
 */
final class QueueAges {
  private static final int QUEUES_AT_ONCE = 50;
  private static final int LOOKS = 6;
  private static final long ENOUGH_NANOS = 200_000L;

  private QueueScan scan = new QueueScan("");
  private final Map<RuleId, Long> oldest = new HashMap<>();
  private Map<RuleId, Long> complete = Map.of();

  /**
   * Looks at some queues; none may be changed and not flushed.
   *
   * @param clock monotonic
   */
  void go(QueueRows rows, long nowMillis, LongSupplier clock) {
    long until = clock.getAsLong() + ENOUGH_NANOS;
    int looks = 0;
    do {
      look(rows, nowMillis);
      looks++;
    } while (!scan.isDone() && looks < LOOKS && clock.getAsLong() < until);
    if (scan.isDone()) {
      complete = Map.copyOf(oldest);
      oldest.clear();
      scan = new QueueScan("");
    }
  }

  private void look(QueueRows rows, long nowMillis) {
    for (KeyValue<Bytes, byte[]> queue : scan.next(rows, QUEUES_AT_ONCE)) {
      long millis = KeyQueueRow.read(queue.value).oldestMillis(nowMillis);
      if (millis < nowMillis) {
        oldest.merge(QueueRows.keyOf(queue).rule(), millis, Math::min);
      }
    }
  }

  /** Epoch milliseconds by rule; rules of which nothing waits are not there. */
  Map<RuleId, Long> oldestMillis() {
    return complete;
  }
}
