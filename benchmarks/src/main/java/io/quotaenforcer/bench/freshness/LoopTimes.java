package io.quotaenforcer.bench.freshness;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quotaenforcer.bench.figures.Times;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The times of a run with {@code instances} instances.
 *
 * @param isShared whether steady demand had shares: then instances report less often
 * @param total from the admitted request to its effect, in nanoseconds
 * @param legs of that, each for itself
 * @param neverSeen requests whose effect was not seen
 * @param throttled requests that were, in the time that counts
 * @param cost of the loop meanwhile
 */
record LoopTimes(
    int instances,
    @JsonProperty("shares") boolean isShared,
    @JsonIgnore Histogram total,
    @JsonIgnore Map<Effect.Leg, Histogram> legs,
    int neverSeen,
    int throttled,
    LoopCost cost) {

  /** Percentiles and mean of times, in milliseconds. */
  record Millis(double p50, double p99, @JsonProperty("p99.9") double p999, double mean) {
    static Millis of(Histogram times) {
      return new Millis(
          Times.millis(times, 50),
          Times.millis(times, 99),
          Times.millis(times, 99.9),
          times.getMean() / 1e6);
    }
  }

  static LoopTimes of(
      int instances, boolean isShared, Effects effects, int throttled, LoopCost cost) {
    Map<Effect.Leg, Histogram> legs = new EnumMap<>(Effect.Leg.class);
    for (Effect.Leg leg : Effect.Leg.values()) {
      legs.put(leg, times(effects, leg::of));
    }
    return new LoopTimes(
        instances,
        isShared,
        times(effects, Effect::totalNanos),
        legs,
        effects.missing(),
        throttled,
        cost);
  }

  private static Histogram times(Effects effects, ToLongFunction<Effect> nanos) {
    // The clocks of a process and of the enforcer are compared to some microseconds.
    return Times.of(
        effects.found().stream().mapToLong(effect -> Math.max(0, nanos.applyAsLong(effect))));
  }

  @JsonProperty
  long effects() {
    return total.getTotalCount();
  }

  @JsonProperty
  Millis totalMillis() {
    return Millis.of(total);
  }

  @JsonProperty
  Map<Effect.Leg, Millis> legMillis() {
    Map<Effect.Leg, Millis> all = new EnumMap<>(Effect.Leg.class);
    legs.forEach((leg, times) -> all.put(leg, Millis.of(times)));
    return all;
  }

  List<String> describe() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d %s, on %s: %,d effects%s%s"
            .formatted(
                instances,
                instances == 1 ? "instance, at itself" : "instances",
                isShared ? "shares" : "leases",
                effects(),
                neverSeen == 0 ? "" : ", %,d never seen".formatted(neverSeen),
                throttled == 0 ? "" : ", %,d requests throttled".formatted(throttled)));
    lines.add("  %-42s %8s %8s %8s %8s".formatted("ms", "p50", "p99", "p99.9", "share"));
    Millis all = totalMillis();
    lines.add(line("from admitted to known at another", all, all));
    legMillis().forEach((leg, of) -> lines.add(line("  " + leg.text(), of, all)));
    lines.add(cost.describe());
    return lines;
  }

  private static String line(String what, Millis of, Millis all) {
    return "  %-42s %8.1f %8.1f %8.1f %6.0f %%"
        .formatted(what, of.p50, of.p99, of.p999, all.mean == 0 ? 0 : 100 * of.mean / all.mean);
  }
}
