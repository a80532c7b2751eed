package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.deferral.KeyQueue;
import java.util.HashMap;
import java.util.Map;

/** Sums over all waiting requests of a partition. Kept in memory and rebuilt from the rows. */
final class Totals {
  private final Map<RuleId, Long> waitingByRule = new HashMap<>();
  private long waiting;
  private long bytes;

  /** A queue has changed; a new one was empty before. */
  void change(RuleId rule, KeyQueue before, KeyQueue after) {
    long more = after.waiting() - before.waiting();
    waiting += more;
    bytes += after.bytes() - before.bytes();
    if (more != 0) {
      waitingByRule.merge(rule, more, Long::sum);
      waitingByRule.remove(rule, 0L);
    }
  }

  long waiting() {
    return waiting;
  }

  long bytes() {
    return bytes;
  }

  Map<RuleId, Long> waitingByRule() {
    return Map.copyOf(waitingByRule);
  }
}
