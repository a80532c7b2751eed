package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.enforcer.store.QueueRowKind;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/** Walks through the queues of a scope, some at a time. */
final class QueueScan {
  private final String scope;
  private String from;
  private boolean done;

  /**
   * @param scope text of a quota key, of a rule's id for all of its keys, or nothing for all queues
   */
  QueueScan(String scope) {
    this.scope = scope;
    this.from = scope;
  }

  boolean isDone() {
    return done;
  }

  /** The next queues; fewer than {@code most} at the end. */
  List<KeyValue<Bytes, byte[]>> next(QueueRows rows, int most) {
    List<KeyValue<Bytes, byte[]>> found = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> queues = rows.queuesFrom(from)) {
      while (found.size() < most && queues.hasNext()) {
        KeyValue<Bytes, byte[]> queue = queues.next();
        String text = QueueRowKind.text(queue.key);
        if (!text.startsWith(scope)) {
          break;
        }
        // The first text after this one.
        from = text + "\0";
        if (isInScope(text)) {
          found.add(queue);
        }
      }
    }
    done = found.size() < most;
    return found;
  }

  List<QuotaKey> nextKeys(QueueRows rows, int most) {
    return next(rows, most).stream().map(QueueRows::keyOf).toList();
  }

  private boolean isInScope(String text) {
    return scope.isEmpty() || text.length() == scope.length() || text.charAt(scope.length()) == '/';
  }
}
