package io.quotaenforcer.bench.accuracy.scenario;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;

/** An equal part of a limit, kept by one instance on its own. */
public final class LocalLimit {
  private final Limit limit;
  private final boolean none;
  private LimitState state;

  /** The first instances have a permit more if it does not divide. */
  public LocalLimit(Limit whole, int instances, int instance) {
    long permits = whole.permits() / instances + (instance < whole.permits() % instances ? 1 : 0);
    none = permits < 1;
    limit = none ? whole : whole.withPermits(permits);
    state = limit.convert(whole.initial(Arrivals.START), whole, Arrivals.START);
  }

  public boolean tryTake(long now) {
    state = limit.advance(state, now);
    if (none || limit.available(state, now) < 1) {
      return false;
    }
    state = limit.book(state, 1, now);
    return true;
  }
}
