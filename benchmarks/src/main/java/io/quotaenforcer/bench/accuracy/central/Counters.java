package io.quotaenforcer.bench.accuracy.central;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import java.util.HashMap;
import java.util.Map;

/** All counters of the store, in memory. One thread. */
final class Counters {
  private final Map<Long, LimitState> states = new HashMap<>();

  /** Takes the permits if the limit has them. */
  Taken take(Take take, long now) {
    Limit limit = take.limit();
    LimitState known = states.get(take.key());
    LimitState state = known == null ? limit.initial(now) : limit.advance(known, now);
    boolean admitted = limit.available(state, now) >= take.cost();
    states.put(take.key(), admitted ? limit.book(state, take.cost(), now) : state);
    return new Taken(now, limit.permitsBelongToWindow() ? limit.windowStart(now) : 0, admitted);
  }
}
