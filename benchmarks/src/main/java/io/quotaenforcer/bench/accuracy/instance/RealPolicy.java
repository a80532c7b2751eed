package io.quotaenforcer.bench.accuracy.instance;

import io.quotaenforcer.core.rule.Enforcement;
import java.util.Locale;

/** The ways of deciding that are measured in real time. */
public enum RealPolicy {
  ALLOTMENT_STRICT,
  ALLOTMENT_BALANCED,
  DELAYED_COUNT,
  STATIC_SPLIT,
  CENTRAL_STORE;

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public boolean isAllotment() {
    return this == ALLOTMENT_STRICT || this == ALLOTMENT_BALANCED;
  }

  /** Whether the enforcer counts what is admitted. */
  public boolean isCounted() {
    return isAllotment() || this == DELAYED_COUNT;
  }

  /** Of the rule by which the enforcer counts. */
  Enforcement enforcement() {
    return this == ALLOTMENT_STRICT ? Enforcement.STRICT : Enforcement.BALANCED;
  }
}
