package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.bench.accuracy.scenario.LoopSetting;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one policy did in one scenario; percentages of what the limit allows, or for under-use of
 * what demand and limit allowed.
 *
 * @param turnedAwayPct throttled, of what an exact central counter of the same requests admits
 */
record Row(
    Scenario scenario,
    LoopSetting loop,
    PolicyKind policy,
    double overPct,
    double underPct,
    double turnedAwayPct,
    double worstOverPct,
    double loopMs) {

  /** The measure that misses its target, for allotments; empty when both are met. */
  String missed() {
    if (!policy.isAllotment()) {
      return "";
    }
    if (policy == PolicyKind.ALLOTMENT_STRICT && overPct > 0) {
      return "overPct";
    }
    return underPct > scenario.underTarget(loop) ? "underPct" : "";
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("scenario", scenario.name());
    json.put("loop", loop.toString());
    json.put("mode", "simulated");
    json.put("policy", policy.label());
    json.put("overPct", rounded(overPct));
    json.put("underPct", rounded(underPct));
    json.put("turnedAwayPct", rounded(turnedAwayPct));
    json.put("worstOverPct", rounded(worstOverPct));
    json.put("loopMs", rounded(loopMs));
    return json;
  }

  Map<String, Object> toShortJson() {
    Map<String, Object> json = toJson();
    boolean over = missed().equals("overPct");
    json.put("missed", missed());
    json.put("target", over ? 0.0 : scenario.underTarget(loop));
    json.put("figure", rounded(over ? overPct : underPct));
    return json;
  }

  private static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }
}
