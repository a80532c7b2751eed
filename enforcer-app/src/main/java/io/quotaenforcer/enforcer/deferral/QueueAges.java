package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.store.KeyQueueRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/**
 * Since when the oldest request of each rule waits, as of the last walk through all queues. Some
 * queues are looked at in each second, so that a walk costs nothing that is felt.
 */
final class QueueAges {
  private static final int QUEUES_AT_ONCE = 300;

  private QueueScan scan = new QueueScan("");
  private final Map<RuleId, Long> oldest = new HashMap<>();
  private Map<RuleId, Long> complete = Map.of();

  /** Looks at some queues; none may be changed and not flushed. */
  void go(QueueRows rows, long nowMillis) {
    List<KeyValue<Bytes, byte[]>> queues = scan.next(rows, QUEUES_AT_ONCE);
    for (KeyValue<Bytes, byte[]> queue : queues) {
      long millis = KeyQueueRow.read(queue.value).oldestMillis(nowMillis);
      if (millis < nowMillis) {
        oldest.merge(QueueRows.keyOf(queue).rule(), millis, Math::min);
      }
    }
    if (scan.isDone()) {
      complete = Map.copyOf(oldest);
      oldest.clear();
      scan = new QueueScan("");
    }
  }

  /** Epoch milliseconds by rule; rules of which nothing waits are not there. */
  Map<RuleId, Long> oldestMillis() {
    return complete;
  }
}
