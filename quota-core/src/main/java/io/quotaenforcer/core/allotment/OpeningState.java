package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;

/**
 * How far a quota key can be opened, as an instance knows it that has taken nothing since.
 *
 * @param left permits that were left of the limit at {@code atNanos}
 * @param atNanos enforcer time
 * @param opened permits that the instance opened in the period of {@code atNanos}
 * @param cap most permits that it opens in a period until {@code cappedUntilNanos}; what is left
 *     does not renew until then
 * @param cappedUntilNanos enforcer time; 0 where there is no cap
 */
record OpeningState(long left, long atNanos, long opened, long cap, long cappedUntilNanos) {
  /** All that a limit may have, whatever that is. */
  static final long ALL = Long.MAX_VALUE / 4;

  /** For a key of which nothing is known. */
  static OpeningState unknown(Limit limit, long now) {
    return new OpeningState(limit.available(limit.initial(now), now), now, 0, 0, 0);
  }

  /** Enforcer time from which a key of which nothing is known can be opened no further. */
  long neededUntilNanos(Limit limit) {
    long period = opened == 0 ? 0 : limit.windowEnd(limit.windowStart(atNanos));
    return Math.max(cappedUntilNanos, period);
  }
}
