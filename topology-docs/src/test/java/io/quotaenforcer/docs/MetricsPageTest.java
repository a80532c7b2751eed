package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitCause;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.metrics.JvmMetrics;
import io.quotaenforcer.enforcer.metrics.LoopMetrics;
import io.quotaenforcer.enforcer.metrics.Metric;
import io.quotaenforcer.enforcer.metrics.StateMetrics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Measurable;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @Test
  void metrics_allUsed_areTheDocumentedOnes() {
    useAll(new EnforcerMetrics(registry));

    assertThat(registry.getMeters().stream().map(MetricsPageTest::described).distinct())
        .containsExactlyInAnyOrderElementsOf(
            EnforcerMetrics.ALL.stream().map(MetricsPageTest::described).toList());
  }

  @Test
  void jvm_showsTheDocumentedNames() {
    try (JvmMetrics jvm = JvmMetrics.in(registry)) {
      String scrape = registry.scrape();

      assertThat(jvm).isNotNull();
      assertThat(JvmMetrics.ALL)
          // Pauses appear with the first one.
          .filteredOn(metric -> metric.type() != Meter.Type.TIMER)
          .allSatisfy(metric -> assertThat(scrape).containsPattern(line(metric)));
    }
  }

  @Test
  void tags_haveFewValues_neverQuotaKeysOrInstances() {
    assertThat(EnforcerMetrics.ALL.stream().flatMap(metric -> metric.tags().stream()))
        .isSubsetOf(
            "attribute",
            "domain",
            "enforcer",
            "java",
            "kafka",
            "kind",
            "mode",
            "outcome",
            "partition",
            "phase",
            "reason",
            "rule",
            "state",
            "store",
            "topic",
            "version");
  }

  @Test
  void scrape_showsTheDocumentedNames() {
    useAll(new EnforcerMetrics(registry));

    String scrape = registry.scrape();

    assertThat(EnforcerMetrics.ALL)
        .allSatisfy(metric -> assertThat(scrape).containsPattern(line(metric)));
  }

  private void useAll(EnforcerMetrics metrics) {
    EnforcerMetrics.clock(registry, () -> 0.001);
    metrics.reportApplied(1);
    metrics.counted(new RuleId("posts", "posts-per-user"), Mode.ENFORCE, 1, 1);
    metrics.penaltyStarted(new RuleId("posts", "posts-per-user"), Mode.ENFORCE);
    metrics.deadLettered("quota.usage");
    metrics.requestEvent("counted");
    metrics.matchGivenUp(new RuleId("posts", "posts-per-user"), "api");
    metrics.recordsLost("quota.usage");
    metrics.snapshotLost();
    RuleId deferring = new RuleId("posts", "posts-per-user");
    metrics.released(deferring);
    metrics.deferred(0, Map.of(deferring, 1L), Map.of(deferring, 1L));
    Rule rule =
        Rule.of(
            new RuleId("posts", "posts-per-user"), List.of(), new FixedWindow(2, 1_000_000_000));
    metrics.rulesInForce(RuleSet.of(List.of(rule)), 100);
    metrics.limitsInForce(
        Map.of(rule.id(), new LimitInForce(5_000, LimitCause.LOWERED, "cpu > 80%", 0)));
    metrics.rulesUnreadable(1);
    metrics.state().ready(() -> true);
    metrics.state().tasks(() -> 3, () -> 0);
    metrics.state().partitions("granting", () -> 3);
    StateMetrics.disk(registry, Path.of("no", "such", "folder"));
    StateMetrics.build(registry, "1.2.3");
    StateMetrics.health(registry, () -> "ready");
    metrics.loop().uncommitted(() -> 0.1);
    metrics.loop().answered(deferring, LoopMetrics.Answer.GRANTED, 1);
    metrics.loop().turnedAway(deferring, LoopMetrics.TurnedAway.HELD, 1);
    metrics.loop().refused(LoopMetrics.RefusedReport.INVALID);
    metrics.kafka().refresh(kafkaMetrics(), Set.of("quota.usage"));
  }

  /** One of its samples, by the whole name. */
  private static String line(Metric metric) {
    return "(?m)^" + MetricsPage.inPrometheus(metric) + "(_count)?[{ ]";
  }

  private static List<KafkaMetric> kafkaMetrics() {
    Map<String, String> consumer =
        Map.of("client-id", "a-consumer", "topic", "quota.usage", "partition", "0");
    Map<String, String> store = Map.of("task-id", "0_0", "rocksdb-state-id", "ledger");
    return List.of(
        kafka("records-lag", consumer),
        kafka("estimate-num-keys", store),
        kafka("total-sst-files-size", store));
  }

  private static KafkaMetric kafka(String name, Map<String, String> tags) {
    return new KafkaMetric(
        new Object(),
        new MetricName(name, "group", "", tags),
        (Measurable) (config, now) -> 1,
        new MetricConfig(),
        Time.SYSTEM);
  }

  private static String described(Metric metric) {
    return metric.name() + metric.type() + metric.tags() + metric.doc();
  }

  private static String described(Meter meter) {
    Meter.Id id = meter.getId();
    return id.getName()
        + id.getType()
        + id.getTags().stream().map(Tag::getKey).toList()
        + id.getDescription();
  }
}
