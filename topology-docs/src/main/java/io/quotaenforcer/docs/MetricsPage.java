package io.quotaenforcer.docs;

import static io.quotaenforcer.docs.Markdown.code;

import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.metrics.Metric;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Every metric of the enforcer. */
final class MetricsPage {
  private static final PrometheusNamingConvention PROMETHEUS = new PrometheusNamingConvention();

  private MetricsPage() {}

  static Page write() {
    return Markdown.page("Metrics of the enforcer", "`EnforcerMetrics`")
        .paragraph(
            "`GET /metrics` on the enforcer's `http.probe.port` gives them in Prometheus' text"
                + " format. A metric appears once there is something to count; one of an enforcer"
                + " that was restarted begins at 0.")
        .table(
            List.of("in Prometheus", "name", "type", "unit", "tags", "meaning"),
            EnforcerMetrics.ALL.stream().map(MetricsPage::row).toList())
        .to("metrics.md");
  }

  private static List<String> row(Metric metric) {
    return List.of(
        code(inPrometheus(metric)),
        code(metric.name()),
        metric.type().name().toLowerCase(Locale.ROOT),
        metric.unit(),
        metric.tags().stream().map(Markdown::code).collect(Collectors.joining(", ")),
        metric.doc());
  }

  static String inPrometheus(Metric metric) {
    String name = PROMETHEUS.name(metric.name(), metric.type(), metric.baseUnit().orElse(null));
    return metric.type() == Meter.Type.COUNTER ? name + "_total" : name;
  }
}
