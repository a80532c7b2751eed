package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;

/** A limit kept by one instance on its own; its permits may change. */
final class LocalLimit {
  private Limit limit;
  private LimitState state;
  private boolean none;

  LocalLimit(Limit limit) {
    this.limit = limit;
    state = limit.initial(Arrivals.START);
  }

  void permits(long permits, long now) {
    none = permits < 1;
    if (!none && permits != limit.permits()) {
      Limit changed = limit.withPermits(permits);
      state = changed.convert(limit.advance(state, now), limit, now);
      limit = changed;
    }
  }

  boolean hasRoom(long now) {
    state = limit.advance(state, now);
    return !none && limit.available(state, now) > 0;
  }

  void book(long permits, long now) {
    state = limit.book(limit.advance(state, now), permits, now);
  }

  boolean tryTake(long now) {
    if (!hasRoom(now)) {
      return false;
    }
    book(1, now);
    return true;
  }
}
