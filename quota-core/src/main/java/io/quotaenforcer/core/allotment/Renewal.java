package io.quotaenforcer.core.allotment;

/**
 * The way in which permits come into a share by themselves. The share counts how many were taken,
 * net of those put back: that is an argument everywhere. Safe for use by any thread.
 */
sealed interface Renewal permits RateRenewal, RefillRenewal, SlidingRenewal, WindowRenewal {
  /** Permits that count as taken, so that no thread takes any by the terms before. */
  long STOP = 1;

  /**
   * This one, which has just begun, with what was there of the one before as far as it fits, or
   * with what was used of it.
   *
   * @param net permits taken before, {@link #STOP} of them in vain
   */
  Renewal after(Renewal before, long net);

  /** The same, whose permits come back later by a time, while it is not in use. */
  Renewal putOff(long nanos);

  /** When it began. */
  long startNanos();

  /** Whether a request of this cost may ever find room. */
  boolean holds(long permits);

  /**
   * Whether {@code permits} may be taken. To be asked by each decision before it takes any, since
   * it notes what ran over by the decision's clock.
   */
  boolean admits(long permits, long net, long now);

  /** Permits that are there. */
  long room(long net, long now);

  /** Permits that count as used, rounded up: with the room, all that there can be. */
  long used(long net, long now);

  /** Time until {@code permits} have come, which {@linkplain #holds can}. */
  long nanosUntil(long permits, long net, long now);

  /**
   * Permits that were taken then are not needed, all of the same decision: by how many the net is
   * to be less. A renewal that counts by slots notes them itself.
   */
  long putBack(long permits, long takenNanos);

  /** How many of the permits that were taken then and not used would still be there; as above. */
  long takeableAgain(long permits, long takenNanos, long now);
}
