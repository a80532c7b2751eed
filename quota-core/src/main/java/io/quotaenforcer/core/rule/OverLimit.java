package io.quotaenforcer.core.rule;

/** The treatment of a request over the limit. */
public sealed interface OverLimit {
  OverLimit THROTTLE = new Throttle();

  /** It is refused, and that is all. */
  record Throttle() implements OverLimit {}

  /**
   * It is throttled, and the service may hand it over to be replayed later.
   *
   * @param replayShareBasisPoints of the limit that replays have while they wait and other requests
   *     want all of it, in hundredths of a percent; what others leave is theirs, too
   * @param release in which rhythm waiting requests are released
   * @param queueLength most requests that wait for one quota key
   * @param queueBytes most bytes of those
   * @param unacknowledged most replays of one quota key that are released and not acknowledged
   * @param onDelete what becomes of waiting requests when the rule is deleted
   */
  record Defer(
      int replayShareBasisPoints,
      Release release,
      long queueLength,
      long queueBytes,
      int unacknowledged,
      OnDelete onDelete)
      implements OverLimit {
    /** 20 % for replays, as quota frees, 10,000 requests or 64 MiB, 16 unacknowledged, released. */
    public static final Defer DEFAULTS =
        new Defer(2_000, Release.AS_QUOTA_FREES, 10_000, 64L << 20, 16, OnDelete.RELEASE);

    public static final int MAX_UNACKNOWLEDGED = 100_000;

    public Defer {
      check(
          replayShareBasisPoints >= 1 && replayShareBasisPoints <= 10_000,
          "must be between 1 and 10000: replayShareBasisPoints=",
          replayShareBasisPoints);
      check(queueLength >= 1, "must be >= 1: queueLength=", queueLength);
      check(queueBytes >= 1, "must be >= 1: queueBytes=", queueBytes);
      check(
          unacknowledged >= 1 && unacknowledged <= MAX_UNACKNOWLEDGED,
          "must be between 1 and " + MAX_UNACKNOWLEDGED + ": unacknowledged=",
          unacknowledged);
    }

    private static void check(boolean holds, String message, long value) {
      if (!holds) {
        throw new IllegalArgumentException(message + value);
      }
    }
  }

  /** The rhythm in which waiting requests are released. */
  enum Release {
    /** Whenever there are permits. */
    AS_QUOTA_FREES,
    /** One after the other at the rate of the limit: a leaky bucket as a queue. */
    STEADY
  }

  /** The fate of waiting requests when their rule is deleted. */
  enum OnDelete {
    /** They are released: nothing limits them any more. */
    RELEASE,
    /** They become dead letters. */
    DEAD_LETTER
  }

  /** Whether requests over the limit may wait to be replayed. */
  default boolean defers() {
    return this instanceof Defer;
  }
}
