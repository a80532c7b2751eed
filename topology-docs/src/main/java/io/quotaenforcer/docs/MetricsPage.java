package io.quotaenforcer.docs;

import static io.quotaenforcer.docs.Markdown.code;

import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.metrics.JvmMetrics;
import io.quotaenforcer.enforcer.metrics.Metric;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Every metric of the enforcer. */
final class MetricsPage {
  private static final PrometheusNamingConvention PROMETHEUS = new PrometheusNamingConvention();

  private static final List<String> HEAD =
      List.of("in Prometheus", "type", "unit", "tags", "meaning", "look at it when");

  private MetricsPage() {}

  static Page write() {
    return Markdown.page("Metrics of the enforcer", "`EnforcerMetrics` and its neighbours")
        .paragraph(
            "`GET /metrics` on the enforcer's `http.probe.port` gives them in Prometheus' text"
                + " format, or in OpenMetrics' where `Accept` asks for it. A metric appears once"
                + " there is something to count; one of an enforcer that was restarted begins at 0."
                + " Of histograms there are `_bucket`, `_sum` and `_count`. Labels have few values:"
                + " rules, topics, partitions and words of this page; never quota keys or"
                + " instances.")
        .heading("What it counts and grants")
        .table(HEAD, EnforcerMetrics.ALL.stream().map(MetricsPage::row).toList())
        .heading("The JVM and its process")
        .paragraph("As Micrometer measures them; it shows some more of the same names.")
        .table(HEAD, JvmMetrics.ALL.stream().map(MetricsPage::row).toList())
        .to("metrics.md");
  }

  private static List<String> row(Metric metric) {
    return List.of(
        code(inPrometheus(metric)),
        type(metric),
        metric.unit(),
        metric.tags().stream().map(Markdown::code).collect(Collectors.joining(", ")),
        metric.doc(),
        metric.alert());
  }

  private static String type(Metric metric) {
    if (metric.type() == Meter.Type.TIMER) {
      return JvmMetrics.ALL.contains(metric) ? "summary" : "histogram";
    }
    return metric.type().name().toLowerCase(Locale.ROOT);
  }

  static String inPrometheus(Metric metric) {
    String name = PROMETHEUS.name(metric.name(), metric.type(), metric.baseUnit().orElse(null));
    if (metric.name().endsWith(".info")) {
      return name + "_info";
    }
    return metric.type() == Meter.Type.COUNTER ? name + "_total" : name;
  }
}
