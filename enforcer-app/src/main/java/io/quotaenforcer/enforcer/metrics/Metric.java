package io.quotaenforcer.enforcer.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A metric with everything that its reader must know.
 *
 * @param unit its unit
 * @param tags names of its tags
 * @param doc its meaning
 * @param alert when somebody should look, in words; empty if it alone is no reason
 */
public record Metric(
    String name, Meter.Type type, String unit, List<String> tags, String doc, String alert) {
  private static final Set<String> UNITS = Set.of("bytes", "seconds");

  public Metric {
    tags = List.copyOf(tags);
  }

  static Metric counter(String name, String unit, List<String> tags, String doc) {
    return new Metric(name, Meter.Type.COUNTER, unit, tags, doc, "");
  }

  static Metric gauge(String name, String unit, List<String> tags, String doc) {
    return new Metric(name, Meter.Type.GAUGE, unit, tags, doc, "");
  }

  static Metric timer(String name, List<String> tags, String doc) {
    return new Metric(name, Meter.Type.TIMER, "seconds", tags, doc, "");
  }

  static Metric histogram(String name, String doc) {
    return timer(name, List.of(), doc);
  }

  /** The same, with a reason for somebody to look. */
  Metric alertWhen(String words) {
    return new Metric(name, type, unit, tags, doc, words);
  }

  /** The counter of a registry with these values of the tags, in their order. */
  Counter in(MeterRegistry registry, String... tagValues) {
    return Counter.builder(name).description(doc).tags(tags(tagValues)).register(registry);
  }

  /** The timer of a registry, counted by how long: sums over enforcers give quantiles. */
  Timer histogramIn(MeterRegistry registry, List<Duration> buckets) {
    return Timer.builder(name)
        .description(doc)
        .serviceLevelObjectives(buckets.toArray(Duration[]::new))
        .register(registry);
  }

  /** The gauge of a registry with these values of the tags; it reads the source on each scrape. */
  void gaugeIn(MeterRegistry registry, Supplier<Number> source, String... tagValues) {
    Gauge.builder(name, source)
        .description(doc)
        .baseUnit(baseUnit().orElse(null))
        .tags(tags(tagValues))
        .register(registry);
  }

  /** The gauges of a registry, one for each row that is set. */
  MultiGauge gaugesIn(MeterRegistry registry) {
    return MultiGauge.builder(name)
        .description(doc)
        .baseUnit(baseUnit().orElse(null))
        .register(registry);
  }

  MultiGauge.Row<Number> row(double value, String... tagValues) {
    return MultiGauge.Row.of(tags(tagValues), value);
  }

  /** The unit that Prometheus has in the metric's name; others are left to the description. */
  public Optional<String> baseUnit() {
    return Optional.of(unit).filter(UNITS::contains);
  }

  /** These values of the tags, in their order. */
  private Tags tags(String... tagValues) {
    if (tagValues.length != tags.size()) {
      throw new IllegalArgumentException(
          "must be the values of " + tags + ": tagValues=" + List.of(tagValues));
    }
    Tags all = Tags.empty();
    for (int i = 0; i < tagValues.length; i++) {
      all = all.and(tags.get(i), tagValues[i]);
    }
    return all;
  }
}
