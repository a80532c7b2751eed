package io.quotaenforcer.bench.accuracy.scenario;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;

/** A limit kept by one instance on its own; its permits may change. */
public final class LocalLimit {
  private Limit limit;
  private LimitState state;
  private boolean none;

  public LocalLimit(Limit limit) {
    this.limit = limit;
    state = limit.initial(Arrivals.START);
  }

  /** An equal part of a limit; the first instances have a permit more if it does not divide. */
  public static LocalLimit part(Limit limit, int instances, int instance) {
    LocalLimit part = new LocalLimit(limit);
    long permits = limit.permits() / instances + (instance < limit.permits() % instances ? 1 : 0);
    part.permits(permits, Arrivals.START);
    return part;
  }

  public void permits(long permits, long now) {
    none = permits < 1;
    if (!none && permits != limit.permits()) {
      Limit changed = limit.withPermits(permits);
      state = changed.convert(limit.advance(state, now), limit, now);
      limit = changed;
    }
  }

  public boolean hasRoom(long now) {
    state = limit.advance(state, now);
    return !none && limit.available(state, now) > 0;
  }

  public void book(long permits, long now) {
    state = limit.book(limit.advance(state, now), permits, now);
  }

  public boolean tryTake(long now) {
    if (!hasRoom(now)) {
      return false;
    }
    book(1, now);
    return true;
  }
}
