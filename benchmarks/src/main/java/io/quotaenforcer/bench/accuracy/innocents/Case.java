package io.quotaenforcer.bench.accuracy.innocents;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The case that one row measures.
 *
 * @param maxWaitMs how long callers wait at most; 0 for those that do not
 */
public record Case(
    @JsonProperty("algorithm") LimitKind kind,
    int instances,
    Enforcement enforcement,
    int maxWaitMs) {
  static final int WAIT_MILLIS = 500;

  private static final List<Integer> INSTANCES = List.of(3, 8, 100);

  /** All that are simulated. */
  public static List<Case> all() {
    List<Case> all = new ArrayList<>();
    for (LimitKind kind : LimitKind.values()) {
      INSTANCES.forEach(instances -> all.addAll(of(kind, instances)));
    }
    return all;
  }

  /**
   * The cases of one algorithm and fleet: balanced, and strict with callers that wait and that do
   * not.
   */
  static List<Case> of(LimitKind kind, int instances) {
    return List.of(
        new Case(kind, instances, Enforcement.BALANCED, 0),
        new Case(kind, instances, Enforcement.STRICT, WAIT_MILLIS),
        new Case(kind, instances, Enforcement.STRICT, 0));
  }

  @JsonProperty("scenario")
  public String name() {
    return "innocents, %s, %d instances".formatted(kind.label(), instances);
  }

  /** As the rows of other scenarios name it, and whether callers wait. */
  @JsonProperty("policy")
  public String policy() {
    return enforcement == Enforcement.BALANCED
        ? "allotment-balanced"
        : maxWaitMs == 0 ? "allotment-strict" : "allotment-strict, waiting";
  }
}
