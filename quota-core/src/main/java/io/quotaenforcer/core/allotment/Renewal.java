package io.quotaenforcer.core.allotment;

/**
 * By what permits come into a share by themselves. How many were taken of it, net of those put
 * back, the share counts: it is an argument everywhere. Safe for use by any thread.
 */
sealed interface Renewal permits RateRenewal, WindowRenewal {
  /** This one, which has just begun, with what was there of the one before as far as it fits. */
  Renewal after(Renewal before);

  /** When it began. */
  long startNanos();

  /** Whether a request of this cost may ever find room. */
  boolean holds(long permits);

  /**
   * Whether so many permits may be taken. To be asked by each decision before it takes any, since
   * it notes what ran over by the decision's clock.
   */
  boolean admits(long permits, long net, long now);

  /** Permits that are there. */
  long room(long net, long now);

  /** Time until so many permits have come, which {@linkplain #holds can}. */
  long nanosUntil(long permits, long net, long now);

  /** Of permits that were taken then, those that would still be there. */
  long takeableAgain(long permits, long takenNanos, long now);
}
