package io.quotaenforcer.bench.figures;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A benchmark's targets, and those that a run missed; written unwrapped, as the lists {@code
 * targets} and {@code short}.
 */
public final class Targets {
  @JsonProperty private final List<Target> targets = new ArrayList<>();

  /**
   * One figure and its bound.
   *
   * @param what is measured, with its unit
   * @param bound as it reads: {@code at most 40}
   */
  private record Target(String what, double measured, String bound, boolean holds) {
    @Override
    public String toString() {
      return what + ": " + Targets.text(measured) + ", must be " + bound;
    }
  }

  /** A figure that must not be larger than {@code bound}. */
  public void atMost(String what, double measured, double bound) {
    targets.add(new Target(what, measured, "at most " + text(bound), measured <= bound));
  }

  /** A figure that must not be smaller than {@code bound}. */
  public void atLeast(String what, double measured, double bound) {
    targets.add(new Target(what, measured, "at least " + text(bound), measured >= bound));
  }

  /** The targets that were missed, a line each; empty when all hold. */
  @JsonProperty("short")
  public List<String> shortOf() {
    return targets.stream().filter(target -> !target.holds()).map(Target::toString).toList();
  }

  /** A line for each target that was missed, or one that says that all hold. */
  public List<String> describe() {
    List<String> missed = shortOf();
    if (missed.isEmpty()) {
      return List.of("all " + targets.size() + " targets hold");
    }
    return missed.stream().map(line -> "short: " + line).toList();
  }

  private static String text(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return String.format(Locale.ROOT, "%,d", (long) value);
    }
    return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.2f" : "%,.1f", value);
  }
}
