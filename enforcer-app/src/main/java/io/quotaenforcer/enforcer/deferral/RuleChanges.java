package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Attends to the queues of changed or deleted rules, whose requests may not have to wait any more.
 */
final class RuleChanges {
  private static final int KEYS_AT_ONCE = 500;

  private final QueueRows rows;
  private final Releases releases;
  private final Queue<QueueScan> scans = new ArrayDeque<>();
  private RuleSet known = RuleSet.empty();

  RuleChanges(QueueRows rows, Releases releases) {
    this.rows = rows;
    this.releases = releases;
  }

  boolean isIdle() {
    return scans.isEmpty();
  }

  /** Notes which rules have changed since the last call. */
  void follow(RuleSet rules) {
    if (rules == known) {
      return;
    }
    for (RuleId id : rows.totals().waitingByRule().keySet()) {
      Rule before = known.rule(id).orElse(null);
      Rule after = rules.rule(id).orElse(null);
      if (after == null || !after.equals(before)) {
        scans.add(new QueueScan(id.toString()));
      }
    }
    known = rules;
  }

  /** Looks at some queues of rules that have changed. */
  void go(long now) {
    QueueScan scan = scans.peek();
    if (scan == null) {
      return;
    }
    rows.flush(now);
    for (QuotaKey key : scan.nextKeys(rows, KEYS_AT_ONCE)) {
      KeyQueue queue = rows.queue(key, now);
      if (queue.dueNanos() > KeyQueue.AT_WORK) {
        rows.due().remove(queue.dueNanos(), QueueRows.bytes(key.toString()));
        rows.change(key, queue, queue.withDue(KeyQueue.NOT_DUE));
      }
      releases.wake(key, now);
    }
    if (scan.isDone()) {
      scans.remove();
    }
  }
}
