package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.TokenBucket;

/**
 * Limits how many quota keys a partition announces as used up or abused, since every instance reads
 * each. Without an announcement an instance learns of it by its own answers, at the cost of the
 * demand of one loop. Used by one thread.
 */
final class AnnouncementPace {
  static final int PER_SECOND = 100;
  static final int AT_ONCE = 1_000;

  private static final TokenBucket LIMIT = new TokenBucket(PER_SECOND, 1_000_000_000L, AT_ONCE);

  private LimitState state = LIMIT.initial(0);

  /** Whether another key may be announced at an enforcer time. */
  boolean mayAnnounce(long now) {
    if (LIMIT.available(state, now) < 1) {
      return false;
    }
    state = LIMIT.book(state, 1, now);
    return true;
  }
}
