package io.quotaenforcer.enforcer.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.quotaenforcer.core.RuleId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gauges of deferred requests in the partitions of this enforcer, summed up by rule. */
final class DeferredGauges {
  private static final double MILLIS_PER_SECOND = 1_000;

  private final MeterRegistry registry;
  private final MultiGauge waiting;
  private final MultiGauge oldest;
  private final Map<Integer, Partition> partitions = new HashMap<>();

  private record Partition(Map<RuleId, Long> waiting, Map<RuleId, Long> oldestMillis) {}

  DeferredGauges(MeterRegistry registry) {
    this.registry = registry;
    this.waiting = EnforcerMetrics.DEFERRED_WAITING.gaugesIn(registry);
    this.oldest = EnforcerMetrics.DEFERRED_OLDEST.gaugesIn(registry);
  }

  synchronized void set(
      int partition, Map<RuleId, Long> waitingByRule, Map<RuleId, Long> oldestMillis) {
    Partition before =
        partitions.put(
            partition, new Partition(Map.copyOf(waitingByRule), Map.copyOf(oldestMillis)));
    if (before == null || !before.waiting.isEmpty() || !waitingByRule.isEmpty()) {
      show();
    }
  }

  synchronized void forget(int partition) {
    if (partitions.remove(partition) != null) {
      show();
    }
  }

  private void show() {
    Map<RuleId, Long> sum = new HashMap<>();
    Map<RuleId, Long> least = new HashMap<>();
    for (Partition partition : partitions.values()) {
      partition.waiting.forEach((rule, count) -> sum.merge(rule, count, Long::sum));
      partition.oldestMillis.forEach((rule, millis) -> least.merge(rule, millis, Math::min));
    }
    long now = registry.config().clock().wallTime();
    List<MultiGauge.Row<?>> waits = new ArrayList<>();
    List<MultiGauge.Row<?>> ages = new ArrayList<>();
    sum.forEach(
        (rule, count) -> {
          long since = least.getOrDefault(rule, now);
          double age = Math.max(0, now - since) / MILLIS_PER_SECOND;
          waits.add(EnforcerMetrics.DEFERRED_WAITING.row(count, rule.domain(), rule.id()));
          ages.add(EnforcerMetrics.DEFERRED_OLDEST.row(age, rule.domain(), rule.id()));
        });
    waiting.register(waits, true);
    oldest.register(ages, true);
  }
}
