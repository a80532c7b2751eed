package io.quotaenforcer.core.adapt;

import java.util.HashMap;
import java.util.Map;

/** Loads of services, for tests. */
final class Loads {
  static final long SECOND = 1_000_000_000L;

  private Loads() {}

  /** Ten instances that say the same, in the units of {@link LoadQuantity}. */
  static ServiceLoad of(Object... quantitiesAndValues) {
    return new ServiceLoad(signal(quantitiesAndValues), 10, 10);
  }

  static LoadSignal signal(Object... quantitiesAndValues) {
    Map<LoadQuantity, Double> values = new HashMap<>();
    for (int i = 0; i < quantitiesAndValues.length; i += 2) {
      values.put(
          (LoadQuantity) quantitiesAndValues[i],
          ((Number) quantitiesAndValues[i + 1]).doubleValue());
    }
    return new LoadSignal(values);
  }

  static AdaptStep step(String when, long seconds, Lowering lowering) {
    Recovery recovery = new Recovery.Even(500, 10 * SECOND);
    return new AdaptStep(LoadCondition.parse(when), seconds * SECOND, lowering, recovery);
  }
}
