package io.quotaenforcer.enforcer.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.OptionalLong;

/** Some of an enforcer's metrics as they are now. */
public final class LiveFigures {
  private final MeterRegistry registry;

  public LiveFigures(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Records that are to be read; empty while that is not known. */
  public OptionalLong lag() {
    return sum(KafkaMetrics.LAG);
  }

  /** Deferred requests that wait; empty while that is not known. */
  public OptionalLong deferred() {
    return sum(EnforcerMetrics.DEFERRED_WAITING);
  }

  private OptionalLong sum(Metric metric) {
    Collection<Gauge> gauges = registry.find(metric.name()).gauges();
    double sum = gauges.stream().mapToDouble(Gauge::value).filter(Double::isFinite).sum();
    return gauges.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Math.round(sum));
  }
}
