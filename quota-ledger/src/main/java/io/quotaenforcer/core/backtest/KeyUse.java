package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.ledger.PenaltyState;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import org.jspecify.annotations.Nullable;

/** A quota key's use of its limit, and its penalties. */
final class KeyUse {
  private final Limit limit;
  private final boolean denied;
  private final @Nullable PenaltyTerms penaltyTerms;
  private LimitState state;
  private PenaltyState penalty = PenaltyState.NONE;
  private long lastNanos;

  KeyUse(Rule rule, QuotaKey key, long now) {
    this.limit = rule.limitOf(key);
    this.denied = rule.denies(key);
    this.penaltyTerms = denied ? null : rule.penalty().orElse(null);
    this.state = limit.initial(now);
    this.lastNanos = now;
  }

  boolean hasRoom(long cost, long now) {
    state = limit.advance(state, now);
    lastNanos = now;
    return !denied && !penalty.isInForce(now) && limit.available(state, now) >= cost;
  }

  /**
   * Notes that a request was throttled for want of room.
   *
   * @return whether a penalty starts by it
   */
  boolean throttled(long cost, long now) {
    boolean isUsedUp =
        limit.available(state, now) <= (double) limit.capacity() / PenaltyState.PART_UNUSED;
    if (penaltyTerms == null || penalty.isInForce(now) || !isUsedUp) {
      return false;
    }
    penalty = penalty.at(now).with(cost, penaltyTerms, now);
    return penalty.isInForce(now);
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
    return now > lastNanos
        && limit.forgettableAt(state, now) <= now
        && penalty.forgettableFrom() <= now;
  }
}
