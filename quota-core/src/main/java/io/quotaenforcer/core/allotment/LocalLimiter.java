package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A limit that one instance keeps for itself. Safe for use by any thread. */
final class LocalLimiter {
  private final AtomicReference<Counted> counted;

  private record Counted(Limit limit, LimitState state) {
    Counted advance(long now) {
      return new Counted(limit, limit.advance(state, now));
    }
  }

  /**
   * @param used permits that count as used when it starts
   * @param now enforcer time, as near as it is known
   */
  LocalLimiter(Limit limit, long used, long now) {
    counted = new AtomicReference<>(new Counted(limit, limit.book(limit.initial(now), used, now)));
  }

  boolean tryTake(long permits, long now) {
    while (true) {
      Counted before = counted();
      Limit limit = before.limit;
      LimitState rolled = limit.advance(before.state, now);
      boolean fits = limit.available(rolled, now) >= permits;
      if (!fits && !limit.countsThrottled()) {
        return false;
      }
      if (counted.compareAndSet(before, new Counted(limit, limit.book(rolled, permits, now)))) {
        return fits;
      }
    }
  }

  /** Returns permits that were taken at {@code at}. */
  void putBack(long permits, long at) {
    counted.updateAndGet(
        before -> new Counted(before.limit, before.limit.unbook(before.state, permits, at)));
  }

  /** Goes on under another number of permits; what was counted stays counted. */
  void follow(Limit limit, long now) {
    counted.updateAndGet(
        before -> {
          LimitState rolled = before.limit.advance(before.state, now);
          return new Counted(limit, limit.convert(rolled, before.limit, now));
        });
  }

  long available(long now) {
    Counted rolled = counted().advance(now);
    return Math.max(0, rolled.limit.available(rolled.state, now));
  }

  /** Whether nothing counts as used. */
  boolean isWhole(long now) {
    return available(now) >= counted().limit.capacity();
  }

  long availableAt(long permits, long now) {
    Counted rolled = counted().advance(now);
    return rolled.limit.availableAt(rolled.state, permits, now);
  }

  long resetAt(long now) {
    Counted before = counted();
    return before.limit.resetAt(before.state, now);
  }

  private Counted counted() {
    return Objects.requireNonNull(counted.get());
  }
}
