package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.core.rule.Bound;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a trial came to.
 *
 * @param counted permits that the enforcer counted, for ways that it counts
 */
public record RealRow(Trial trial, Figures figures, OptionalLong counted) {
  /** Above it a row says little: the load was not the one that is named. */
  private static final double LATE_MILLIS = 50;

  /** Whether the machine could not ask in time. */
  boolean isLate() {
    return lateMillis(99) > LATE_MILLIS;
  }

  /** Whether the enforcer counted exactly what was admitted, or nothing is counted. */
  boolean isCountedExactly() {
    return counted.isEmpty() || counted.getAsLong() == figures.admitted();
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

  /** As an object of a JSON file. */
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("scenario", trial.scenario().name());
    json.put("mode", "real");
    json.put("policy", trial.policy().label());
    json.put("instances", trial.scenario().instances());
    json.put("seconds", trial.seconds());
    json.put("seed", trial.seed());
    json.put("requests", figures.requests());
    json.put("admitted", figures.admitted());
    json.put("throttled", figures.requests() - figures.admitted());
    counted.ifPresent(permits -> json.put("counted", permits));
    json.put("mislabelled", figures.mislabelled());
    json.put("overPct", rounded(figures.overPct()));
    json.put("underPct", rounded(figures.underPct()));
    json.put("turnedAwayPct", rounded(figures.turnedAwayPct()));
    json.put("worstOverPct", rounded(figures.worstOverPct()));
    if (trial.policy().isAllotment()) {
      json.put("boundPct", rounded(boundPct()));
      json.put("grantedOver", figures.grantedOver());
    }
    json.put("loopMs", rounded(loopMillis(50)));
    json.put("loopMsP99", rounded(loopMillis(99)));
    json.put("decideUs", rounded(decideMicros(50)));
    json.put("decideUsP99", rounded(decideMicros(99)));
    json.put("lateMs", rounded(lateMillis(50)));
    json.put("lateMsP99", rounded(lateMillis(99)));
    json.put("askingCpuPct", rounded(figures.askingCpuPct()));
    return json;
  }

  private static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }
}
