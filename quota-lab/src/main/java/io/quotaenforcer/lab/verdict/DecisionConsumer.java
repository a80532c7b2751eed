package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.PermitSource;

/** Receives decisions one by one. */
@FunctionalInterface
public interface DecisionConsumer {
  /**
   * Takes one decision.
   *
   * @param stampNanos clock read of the decision, in epoch nanoseconds
   * @param instance index of the instance that decided
   * @param source origin of the permits; nowhere if it was throttled
   * @param windowStartNanos window that the permits were taken from; 0 for kinds without windows
   */
  void accept(
      long stampNanos,
      int instance,
      KeyEntry key,
      long cost,
      PermitSource source,
      long windowStartNanos);

  /** A consumer that passes every decision on to each of {@code consumers} in turn. */
  static DecisionConsumer all(DecisionConsumer... consumers) {
    DecisionConsumer[] targets = consumers.clone();
    return (stampNanos, instance, key, cost, source, windowStartNanos) -> {
      for (DecisionConsumer target : targets) {
        target.accept(stampNanos, instance, key, cost, source, windowStartNanos);
      }
    };
  }
}
