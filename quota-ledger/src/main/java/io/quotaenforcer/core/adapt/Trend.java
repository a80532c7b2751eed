package io.quotaenforcer.core.adapt;

/** Where one step stands. Immutable. */
public sealed interface Trend {
  /**
   * The condition does not hold.
   *
   * @param sinceNanos from when on the time to the next rise counts
   * @param rises in a row until now
   */
  record Calm(long sinceNanos, int rises) implements Trend {
    static Calm from(long now) {
      return new Calm(now, 0);
    }
  }

  /** The condition holds, not yet for long enough. */
  record Waiting(long sinceNanos, Throughput served) implements Trend {}

  /**
   * The limit was lowered, and the condition is not over.
   *
   * @param sinceNanos from when on the time to the next lowering counts
   * @param served since the condition began to hold
   * @param beforeBasisPoints what was left of the limit before, in hundredths of a percent
   */
  record Low(long sinceNanos, Throughput served, int beforeBasisPoints) implements Trend {}
}
