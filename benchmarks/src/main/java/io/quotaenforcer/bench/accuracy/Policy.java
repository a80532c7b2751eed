package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;

/** A way for the instances of a fleet to decide. */
interface Policy {
  long NOT_ADMITTED = -1;

  static Policy of(PolicyKind kind, Fleet fleet) {
    return switch (kind) {
      case ALLOTMENT_STRICT, ALLOTMENT_BALANCED -> new AllotmentPolicy(fleet, kind.enforcement());
      case DELAYED_COUNT -> new DelayedCount(fleet);
      case STATIC_SPLIT -> new StaticSplit(fleet);
    };
  }

  /** {@link #NOT_ADMITTED}, or the window that the permit belongs to; 0: the one of its time. */
  long decide(int instance, long now);

  /** Mean time from a report to its answer; 0 when it has none. */
  default double loopMillis() {
    return 0;
  }
}
