package io.quotaenforcer.lab.trace;

import java.util.HashMap;
import java.util.Map;

/** Counts of the latest parts of a period, including the current one. */
final class SlotMeter implements Meter {
  private final RuleFacts rule;
  private final Map<Long, Long> used = new HashMap<>();

  SlotMeter(RuleFacts rule) {
    this.rule = rule;
  }

  @Override
  public boolean take(long cost, long stampMicros, int lateMicros) {
    long slot = Math.floorDiv(stampMicros, rule.periodMicros() / rule.slots());
    used.keySet().removeIf(each -> each <= slot - rule.slots());
    long sum = used.values().stream().mapToLong(Long::longValue).sum();
    if (sum + cost > rule.permits()) {
      return false;
    }
    used.merge(slot, cost, Long::sum);
    return true;
  }
}
