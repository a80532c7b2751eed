package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reports request events to the enforcer, each once, and knows the counts that must result. */
final class SimulatedCombiner {
  private static final HolderId NAME = HolderId.Combiner.of(0);

  private final Map<QuotaKey, Map<Long, Long>> told = new HashMap<>();
  private long number;
  private long permits;

  /** The report of requests that were admitted at a time and counted by no instance. */
  UsageReport report(QuotaKey key, Rule rule, long used, long atNanos) {
    Limit limit = rule.limitOf(key);
    long start = limit.borderBefore(atNanos);
    number++;
    permits += used;
    told.computeIfAbsent(key, k -> new HashMap<>())
        .merge(limit.windowStart(atNanos), used, Long::sum);
    CellUsage cell = CellUsage.of(-number, start).withTaken(used).asClosed();
    QuotaUsage usage = new QuotaUsage(key, rule.generation(), 0, 0, List.of(cell));
    return new UsageReport(NAME, 1, 0, 0, -1, List.of(usage));
  }

  /** Permits of all events. */
  long permits() {
    return permits;
  }

  /** Permits of a key's events, by their window. */
  Map<Long, Long> told(QuotaKey key) {
    return Map.copyOf(told.getOrDefault(key, Map.of()));
  }
}
