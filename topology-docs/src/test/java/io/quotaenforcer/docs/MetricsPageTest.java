package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.metrics.Metric;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
  void scrape_showsTheDocumentedNames() {
    useAll(new EnforcerMetrics(registry));

    String scrape = registry.scrape();

    assertThat(EnforcerMetrics.ALL)
        .allSatisfy(
            metric ->
                assertThat(scrape).containsPattern("(?m)^" + MetricsPage.inPrometheus(metric)));
  }

  private void useAll(EnforcerMetrics metrics) {
    EnforcerMetrics.clock(registry, () -> 0.001);
    metrics.reportApplied(1);
    metrics.counted(new RuleId("posts", "posts-per-user"), Mode.ENFORCE, 1, 1);
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
    metrics.rulesUnreadable(1);
    metrics.ready(() -> true);
    metrics.tasks(() -> 3, () -> 0);
    EnforcerMetrics.disk(registry, Path.of("no", "such", "folder"));
    EnforcerMetrics.build(registry, "1.2.3");
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
