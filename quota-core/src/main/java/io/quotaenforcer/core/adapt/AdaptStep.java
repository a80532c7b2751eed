package io.quotaenforcer.core.adapt;

import java.util.EnumSet;
import java.util.Set;

/**
 * One condition, and what it does to the limit. Immutable.
 *
 * @param forNanos how long the condition must hold without a break before the limit is lowered, and
 *     again before it is lowered further
 */
public record AdaptStep(LoadCondition when, long forNanos, Lowering lowering, Recovery recovery) {
  public AdaptStep {
    if (forNanos < 0) {
      throw new IllegalArgumentException("must not be negative: forNanos=" + forNanos);
    }
  }

  /** What must be known of the load. */
  Set<LoadQuantity> needs() {
    Set<LoadQuantity> needed = EnumSet.of(when.quantity());
    needed.addAll(lowering.needs());
    return needed;
  }

  double measured(LoadSignal mean) {
    return mean.value(when.quantity()).orElseThrow();
  }
}
