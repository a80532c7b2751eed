package io.quotaenforcer.enforcer.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/**
 * A metric: all that its reader must know.
 *
 * @param unit what one of it is
 * @param tags names of its tags
 * @param doc what it counts, and what to make of it
 */
public record Metric(String name, Meter.Type type, String unit, List<String> tags, String doc) {
  public Metric {
    tags = List.copyOf(tags);
  }

  static Metric counter(String name, String unit, List<String> tags, String doc) {
    return new Metric(name, Meter.Type.COUNTER, unit, tags, doc);
  }

  /** The counter of a registry with these values of the tags, in their order. */
  Counter in(MeterRegistry registry, String... tagValues) {
    if (tagValues.length != tags.size()) {
      throw new IllegalArgumentException(
          "must be the values of " + tags + ": tagValues=" + List.of(tagValues));
    }
    Counter.Builder counter = Counter.builder(name).description(doc);
    for (int i = 0; i < tagValues.length; i++) {
      counter.tag(tags.get(i), tagValues[i]);
    }
    return counter.register(registry);
  }
}
