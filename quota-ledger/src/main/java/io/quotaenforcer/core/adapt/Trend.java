package io.quotaenforcer.core.adapt;

/** Where one step stands. Immutable. */
public sealed interface Trend {
  /**
   * The condition does not hold.
   *
   * @param sinceNanos from when on the time to the next rise counts
   */
  record Calm(long sinceNanos) implements Trend {}

  /** The condition holds, not yet for long enough. */
  record Waiting(long sinceNanos) implements Trend {}

  /**
   * The limit was lowered, and the condition is not over.
   *
   * @param sinceNanos from when on the time to the next lowering counts
   * @param resumeBasisPoints what is known to be served, to go on with once the condition is over
   */
  record Low(long sinceNanos, int resumeBasisPoints) implements Trend {}
}
