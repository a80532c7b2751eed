package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.rule.Rule;

/** A quota key's use of its limit. */
final class KeyUse {
  private final Limit limit;
  private final boolean denied;
  private LimitState state;
  private long lastNanos;

  KeyUse(Rule rule, QuotaKey key, long now) {
    this.limit = rule.limitOf(key);
    this.denied = rule.denies(key);
    this.state = limit.initial(now);
    this.lastNanos = now;
  }

  boolean hasRoom(long cost, long now) {
    state = limit.advance(state, now);
    lastNanos = now;
    return !denied && limit.available(state, now) >= cost;
  }

  /** Whether its use counts for longer than the algorithm says. */
  boolean isRounded() {
    return limit.isRounded(state);
  }

  /** Whether throttled requests take permits, too. */
  boolean countsThrottled() {
    return limit.countsThrottled();
  }

  void take(long cost, long now) {
    state = limit.book(state, cost, now);
  }

  /** Whether forgetting it would make no difference. */
  boolean isIdle(long now) {
    return now > lastNanos && limit.forgettableAt(state, now) <= now;
  }
}
