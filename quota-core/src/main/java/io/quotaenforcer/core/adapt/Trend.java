package io.quotaenforcer.core.adapt;

/** Where one step stands. Immutable. */
public sealed interface Trend {
  /** Of the latest seconds in which the service had little room left. */
  Throughput served();

  /**
   * The condition does not hold.
   *
   * @param sinceNanos from when on the time to the next rise counts
   * @param rises in a row until now, with much room left
   */
  record Calm(long sinceNanos, int rises, Throughput served) implements Trend {
    /** Of the bound, how far a value must be on the good side for much room to be left. */
    static final double MUCH_ROOM = 0.75;

    /** More need not be counted. */
    private static final int MAX_RISES = 1_000;

    static Calm from(long now) {
      return new Calm(now, 0, Throughput.NONE);
    }

    /** Near the bound a rise is no reason for a larger one. */
    Calm risen(long now, double room) {
      int next = room < MUCH_ROOM ? 0 : Math.min(MAX_RISES, rises + 1);
      return new Calm(now, next, served);
    }
  }

  /** The condition holds, not yet for long enough. */
  record Waiting(long sinceNanos, Throughput served) implements Trend {}

  /**
   * The limit was lowered, and the condition is not over.
   *
   * @param sinceNanos from when on the time to the next lowering counts
   * @param beforeBasisPoints what was left of the limit before, in hundredths of a percent
   */
  record Low(long sinceNanos, Throughput served, int beforeBasisPoints) implements Trend {}
}
