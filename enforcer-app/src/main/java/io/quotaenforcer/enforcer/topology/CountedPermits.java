package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sums of one report's counts, so that the metrics are updated once for many quota keys. */
final class CountedPermits {
  private final EnforcerMetrics metrics;
  private @Nullable Rule rule;
  private long used;
  private long throttled;

  CountedPermits(EnforcerMetrics metrics) {
    this.metrics = metrics;
  }

  void add(Rule by, List<WindowCount> counts) {
    Rule before = rule;
    if (before == null || !before.id().equals(by.id()) || before.mode() != by.mode()) {
      flush();
      rule = by;
    }
    for (WindowCount count : counts) {
      used = PermitCount.plus(used, Math.max(0, count.used()));
      throttled = PermitCount.plus(throttled, Math.max(0, count.throttled()));
    }
  }

  /** Updates the metrics with the sums so far. */
  void flush() {
    if (rule != null && (used > 0 || throttled > 0)) {
      metrics.counted(rule.id(), rule.mode(), used, throttled);
    }
    used = 0;
    throttled = 0;
  }
}
