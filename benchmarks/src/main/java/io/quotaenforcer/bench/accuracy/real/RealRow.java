package io.quotaenforcer.bench.accuracy.real;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.core.rule.Bound;
import org.jspecify.annotations.Nullable;

/**
 * The result of a trial.
 *
 * @param counted permits that the enforcer counted, for ways that it counts
 */
public record RealRow(
    @JsonUnwrapped Trial trial, @JsonUnwrapped Figures figures, @Nullable Long counted) {
  /** Above it a row says little: the load was not the one that is named. */
  private static final double LATE_MILLIS = 50;

  /** Whether the machine could not ask in time. */
  boolean isLate() {
    return lateMillis(99) > LATE_MILLIS;
  }

  /** Whether the enforcer counted exactly what was admitted, or nothing is counted. */
  boolean isCountedExactly() {
    return counted == null || counted == figures.admitted();
  }

  /** From report to answer; 0 for ways that do not report. */
  double loopMillis(double percent) {
    return Times.millis(figures.loopNanos(), percent);
  }

  double decideMicros(double percent) {
    return Times.micros(figures.decideNanos(), percent);
  }

  double lateMillis(double percent) {
    return Times.millis(figures.lateNanos(), percent);
  }

  /** Most that a window may be over by what the rule declares; only allotments declare any. */
  double boundPct() {
    var limit = trial.scenario().limit();
    int instances = trial.scenario().instances();
    return 100.0
        * Bound.connected(trial.rule(), limit, instances, RealBench.MAX_INSTANCES)
        / limit.permits();
  }

  @JsonProperty("mode")
  String mode() {
    return "real";
  }

  @JsonProperty("instances")
  int instances() {
    return trial.scenario().instances();
  }

  @JsonProperty("boundPct")
  @Nullable Double boundOfAllotments() {
    return trial.policy().isAllotment() ? boundPct() : null;
  }

  @JsonUnwrapped
  @JsonProperty
  Percentiles percentiles() {
    return new Percentiles(
        loopMillis(50),
        loopMillis(99),
        decideMicros(50),
        decideMicros(99),
        lateMillis(50),
        lateMillis(99));
  }

  /** Times as they are written. */
  record Percentiles(
      double loopMs,
      double loopMsP99,
      double decideUs,
      double decideUsP99,
      double lateMs,
      double lateMsP99) {}
}
