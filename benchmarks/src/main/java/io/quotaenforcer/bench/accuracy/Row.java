package io.quotaenforcer.bench.accuracy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.accuracy.scenario.LoopSetting;
import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;

/**
 * The result of one policy in one scenario; percentages are of what the limit allows, or for
 * under-use of what demand and limit allowed.
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

  /** The entry written for a row that misses its target. */
  Short shortOf() {
    boolean over = missed().equals("overPct");
    return new Short(
        this, missed(), over ? 0 : scenario.underTarget(loop), over ? overPct : underPct);
  }

  @JsonProperty("mode")
  String mode() {
    return "simulated";
  }

  /**
   * A measure that misses its target.
   *
   * @param missed the measure
   */
  record Short(@JsonUnwrapped Row row, String missed, double target, double figure) {}
}
