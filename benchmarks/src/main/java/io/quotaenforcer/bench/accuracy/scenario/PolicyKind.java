package io.quotaenforcer.bench.accuracy.scenario;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.Locale;

/** The ways of deciding that are compared. */
public enum PolicyKind {
  ALLOTMENT_STRICT,
  ALLOTMENT_BALANCED,
  DELAYED_COUNT,
  STATIC_SPLIT;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public boolean isAllotment() {
    return this == ALLOTMENT_STRICT || this == ALLOTMENT_BALANCED;
  }

  /** Whether the enforcer counts what is admitted. */
  public boolean isCounted() {
    return this != STATIC_SPLIT;
  }

  /** The one of its kind by which instances warm up: those of one kind use the same decider. */
  public PolicyKind shared() {
    return isAllotment() ? ALLOTMENT_STRICT : this;
  }

  /** The enforcement of the rule by which the enforcer counts. */
  public Enforcement enforcement() {
    return this == ALLOTMENT_STRICT ? Enforcement.STRICT : Enforcement.BALANCED;
  }
}
