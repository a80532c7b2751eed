package io.quotaenforcer.enforcer.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Measurable;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

class KafkaMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final KafkaMetrics metrics = new KafkaMetrics(registry);

  @Test
  void lag_isOfMainConsumersAndOurTopics() {
    metrics.refresh(
        List.of(
            lag("a-StreamThread-1-consumer", "quota.usage", 0, 7),
            lag("a-StreamThread-1-consumer", "quota_usage", 0, 7),
            lag("a-StreamThread-1-restore-consumer", "quota.usage", 1, 100),
            lag("a-StreamThread-2-consumer", "quota.usage", 2, Double.NaN)),
        Set.of("quota.usage"));

    assertThat(registry.find("quota.records.lag").gauges()).hasSize(1);
    assertThat(
            registry
                .get("quota.records.lag")
                .tags("topic", "quota.usage", "partition", "0")
                .gauge()
                .value())
        .isEqualTo(7);
  }

  @Test
  void lag_ofAPartitionThatIsGone_isNotShown() {
    metrics.refresh(
        List.of(lag("a-consumer", "quota.usage", 0, 7), lag("a-consumer", "quota.usage", 1, 7)),
        Set.of("quota.usage"));
    metrics.refresh(List.of(lag("a-consumer", "quota.usage", 1, 8)), Set.of("quota.usage"));

    assertThat(registry.find("quota.records.lag").gauges())
        .extracting(gauge -> gauge.getId().getTag("partition"))
        .containsExactly("1");
  }

  @Test
  void stores_areSummedUpByKind() {
    metrics.refresh(
        List.of(
            ofStore("estimate-num-keys", "0_0", "ledger", 3),
            ofStore("estimate-num-keys", "0_1", "ledger", 4),
            ofStore("total-sst-files-size", "0_0", "counts", 1_000),
            kafka("rebalance-rate-per-hour", Map.of("client-id", "a-consumer"), 2)),
        Set.of());

    assertThat(registry.get("quota.store.rows").tag("store", "ledger").gauge().value())
        .isEqualTo(7);
    assertThat(registry.get("quota.store.size").tag("store", "counts").gauge().value())
        .isEqualTo(1_000);
    assertThat(registry.get("quota.rebalances.hourly").gauge().value()).isEqualTo(2);
  }

  private static KafkaMetric lag(String client, String topic, int partition, double value) {
    return kafka(
        "records-lag",
        Map.of("client-id", client, "topic", topic, "partition", Integer.toString(partition)),
        value);
  }

  private static KafkaMetric ofStore(String name, String task, String store, double value) {
    return kafka(name, Map.of("task-id", task, "rocksdb-state-id", store), value);
  }

  private static KafkaMetric kafka(String name, Map<String, String> tags, double value) {
    return new KafkaMetric(
        new Object(),
        new MetricName(name, "group", "", tags),
        (Measurable) (config, now) -> value,
        new MetricConfig(),
        Time.SYSTEM);
  }
}
