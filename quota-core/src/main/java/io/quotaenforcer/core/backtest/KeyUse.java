package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;

/** What one quota key has used of its limit. */
final class KeyUse {
  private final Limit limit;
  private LimitState state;
  private long lastNanos;

  KeyUse(Limit limit, long now) {
    this.limit = limit;
    this.state = limit.initial(now);
    this.lastNanos = now;
  }

  boolean hasRoom(long cost, long now) {
    state = limit.advance(state, now);
    lastNanos = now;
    return limit.available(state, now) >= cost;
  }

  /** Whether a request that is throttled takes permits, too. */
  boolean countsThrottled() {
    return limit.countsThrottled();
  }

  void take(long cost, long now) {
    state = limit.book(state, cost, now);
  }

  /** Whether it would be the same if it were forgotten. */
  boolean isIdle(long now) {
    return now > lastNanos && limit.forgettableAt(state, now) <= now;
  }
}
