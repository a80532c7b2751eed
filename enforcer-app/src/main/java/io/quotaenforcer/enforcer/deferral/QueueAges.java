package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.store.KeyQueueRow;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/**
 * Age of each rule's oldest waiting request, as of the last pass over all queues. Each second
 * visits only as many queues as can be afforded without notice.
 */
final class QueueAges {
  private static final int QUEUES_AT_ONCE = 50;
  private static final int LOOKS = 6;
  private static final long ENOUGH_NANOS = 200_000L;

  private QueueScan scan = new QueueScan("");
  private final Map<RuleId, Long> oldest = new HashMap<>();
  private Map<RuleId, Long> complete = Map.of();

  /**
   * Visits some queues; no queue may have unflushed changes.
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

  /** Epoch milliseconds by rule; rules without waiting requests are absent. */
  Map<RuleId, Long> oldestMillis() {
    return complete;
  }
}
