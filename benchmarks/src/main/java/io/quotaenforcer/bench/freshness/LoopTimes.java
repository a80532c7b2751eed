package io.quotaenforcer.bench.freshness;

import io.quotaenforcer.bench.figures.Times;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * What a run with so many instances took.
 *
 * @param total from the admitted request to its effect, in nanoseconds
 * @param legs of that, each for itself
 * @param means of the legs, which add up to the mean of the whole
 * @param missing requests whose effect was not seen
 * @param throttled requests that were
 */
record LoopTimes(
    int instances,
    Histogram total,
    Map<Effect.Leg, Histogram> legs,
    Map<Effect.Leg, Double> means,
    int missing,
    int throttled) {
  private static final double NANOS_PER_MILLI = 1e6;

  static LoopTimes of(int instances, Effects effects, int throttled) {
    Map<Effect.Leg, Histogram> legs = new LinkedHashMap<>();
    Map<Effect.Leg, Double> means = new LinkedHashMap<>();
    for (Effect.Leg leg : Effect.Leg.values()) {
      legs.put(leg, percentile(effects, leg::of));
      means.put(leg, effects.found().stream().mapToLong(leg::of).average().orElse(0));
    }
    Histogram total = percentile(effects, Effect::totalNanos);
    return new LoopTimes(instances, total, legs, means, effects.missing(), throttled);
  }

  private static Histogram percentile(Effects effects, ToLongFunction<Effect> nanos) {
    return Times.of(effects.found().stream().mapToLong(nanos));
  }

  private double mean(Effect.Leg leg) {
    return means.getOrDefault(leg, 0.0);
  }

  double millisAt(double percent) {
    return total.getValueAtPercentile(percent) / NANOS_PER_MILLI;
  }

  List<String> describe() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d %s: %,d effects%s%s"
            .formatted(
                instances,
                instances == 1 ? "instance, at itself" : "instances",
                total.getTotalCount(),
                missing == 0 ? "" : ", %,d never seen".formatted(missing),
                throttled == 0 ? "" : ", %,d requests throttled".formatted(throttled)));
    lines.add("  %-42s %8s %8s %8s %8s".formatted("ms", "p50", "p99", "p99.9", "share"));
    lines.add(line("from admitted to known at another", total, 1));
    double mean = means.values().stream().mapToDouble(Double::doubleValue).sum();
    legs.forEach(
        (leg, percentile) ->
            lines.add(line("  " + leg.text(), percentile, mean(leg) / Math.max(1, mean))));
    return lines;
  }

  private static String line(String what, Histogram times, double share) {
    return "  %-42s %8.1f %8.1f %8.1f %6.0f %%"
        .formatted(
            what,
            times.getValueAtPercentile(50) / NANOS_PER_MILLI,
            times.getValueAtPercentile(99) / NANOS_PER_MILLI,
            times.getValueAtPercentile(99.9) / NANOS_PER_MILLI,
            100 * share);
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("instances", instances);
    json.put("effects", total.getTotalCount());
    json.put("neverSeen", missing);
    json.put("throttled", throttled);
    json.put("totalMillis", millis(total));
    Map<String, Object> each = new LinkedHashMap<>();
    legs.forEach(
        (leg, percentile) -> {
          Map<String, Object> of = millis(percentile);
          of.put("mean", mean(leg) / NANOS_PER_MILLI);
          each.put(leg.name(), of);
        });
    json.put("legMillis", each);
    return json;
  }

  private static Map<String, Object> millis(Histogram times) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("p50", times.getValueAtPercentile(50) / NANOS_PER_MILLI);
    json.put("p99", times.getValueAtPercentile(99) / NANOS_PER_MILLI);
    json.put("p99.9", times.getValueAtPercentile(99.9) / NANOS_PER_MILLI);
    return json;
  }
}
