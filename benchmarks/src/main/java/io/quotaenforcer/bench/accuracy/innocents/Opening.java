package io.quotaenforcer.bench.accuracy.innocents;

/**
 * The first period of a quota key that comes from rest, which is two periods without a request: how
 * far it went over, beside what was asked in one loop from the first request that a central counter
 * refuses.
 */
final class Opening {
  private static final long LEAST_REST_NANOS = 2_000_000_000L;
  private static final long NEVER = Long.MAX_VALUE;

  private final long periodNanos;
  private final long restNanos;
  private boolean asked;
  private long askedNanos;
  private long openedNanos;
  private long refusedNanos = NEVER;

  Opening(long periodNanos) {
    this.periodNanos = periodNanos;
    this.restNanos = Math.max(LEAST_REST_NANOS, 2 * periodNanos);
  }

  /** A request comes; whether it is the first one from rest. */
  boolean isOpenedAt(long now) {
    boolean opens = !asked || now - askedNanos >= restNanos;
    asked = true;
    askedNanos = now;
    if (opens) {
      openedNanos = now;
      refusedNanos = NEVER;
    }
    return opens;
  }

  /** A central counter refuses a request; whether it is the first one of this opening. */
  boolean isFirstRefusedAt(long now) {
    if (refusedNanos != NEVER || !isIn(now)) {
      return false;
    }
    refusedNanos = now;
    return true;
  }

  /** Whether a request belongs to the one loop in which instances cannot know yet. */
  boolean isUnknownAt(long now, double loopNanos) {
    return refusedNanos != NEVER && now - refusedNanos <= loopNanos && isIn(now);
  }

  boolean isIn(long now) {
    return now - openedNanos < periodNanos;
  }
}
