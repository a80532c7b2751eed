package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A limit that one instance keeps for itself. Safe for use by any thread. */
final class LocalLimiter {
  private final Limit limit;
  private final AtomicReference<LimitState> state;

  /**
   * @param used permits that count as used when it starts
   * @param now enforcer time, as near as it is known
   */
  LocalLimiter(Limit limit, long used, long now) {
    this.limit = limit;
    this.state = new AtomicReference<>(limit.book(limit.initial(now), used, now));
  }

  boolean tryTake(long permits, long now) {
    while (true) {
      LimitState before = state();
      LimitState rolled = limit.advance(before, now);
      if (limit.available(rolled, now) < permits) {
        return false;
      }
      if (state.compareAndSet(before, limit.book(rolled, permits, now))) {
        return true;
      }
    }
  }

  /** Returns permits that were taken at {@code at}. */
  void putBack(long permits, long at) {
    state.updateAndGet(now -> limit.unbook(now, permits, at));
  }

  private LimitState state() {
    return Objects.requireNonNull(state.get());
  }

  long available(long now) {
    return Math.max(0, limit.available(limit.advance(state(), now), now));
  }

  long availableAt(long permits, long now) {
    return limit.availableAt(limit.advance(state(), now), permits, now);
  }

  long resetAt(long now) {
    return limit.resetAt(state(), now);
  }
}
