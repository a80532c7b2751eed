package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A limit that one instance keeps for itself. Safe for use by any thread. */
final class LocalLimiter {
  private final AtomicReference<Counted> counted;
  private volatile long startNanos;

  /** A time before {@code timeNanos} counts as that: a clock that steps back admits no more. */
  private record Counted(Limit limit, LimitState state, long timeNanos) {
    Counted advance(long now) {
      long time = Math.max(timeNanos, now);
      return new Counted(limit, limit.advance(state, time), time);
    }

    long available() {
      return limit.available(state, timeNanos);
    }

    Counted book(long permits) {
      return new Counted(limit, limit.book(state, permits, timeNanos), timeNanos);
    }

    /** What counts as used counts as used at another time. */
    Counted at(long nanos) {
      long used = Math.max(0, limit.capacity() - Math.max(0, available()));
      return new Counted(limit, limit.initial(nanos), nanos).book(used);
    }
  }

  /**
   * @param used permits that count as used when it starts
   * @param now enforcer time, as near as it is known
   */
  LocalLimiter(Limit limit, long used, long now) {
    startNanos = now;
    counted = new AtomicReference<>(new Counted(limit, limit.initial(now), now).book(used));
  }

  boolean tryTake(long permits, long now) {
    while (true) {
      Counted before = counted();
      Counted rolled = before.advance(now);
      boolean fits = rolled.available() >= permits;
      if (!fits && !before.limit.countsThrottled()) {
        return false;
      }
      if (counted.compareAndSet(before, rolled.book(permits))) {
        return fits;
      }
    }
  }

  /**
   * Returns permits that were taken at {@code at}; what was before the start was not taken here.
   */
  void putBack(long permits, long at) {
    if (at >= startNanos) {
      counted.updateAndGet(
          before ->
              new Counted(
                  before.limit, before.limit.unbook(before.state, permits, at), before.timeNanos));
    }
  }

  /**
   * Goes on from an earlier time where that of now is known by now to be mistaken: it may be hours
   * away. Permits that were taken before do not come back.
   *
   * @param latestNanos that it can be now
   */
  void correct(long latestNanos) {
    Counted before = counted();
    if (PartitionLink.isMistakenAt(before.limit, before.timeNanos, latestNanos)) {
      startNanos = latestNanos;
      counted.updateAndGet(mistaken -> mistaken.at(latestNanos));
    }
  }

  /** Goes on under another number of permits; what was counted stays counted. */
  void follow(Limit limit, long now) {
    counted.updateAndGet(
        before -> {
          Counted rolled = before.advance(now);
          return new Counted(
              limit, limit.convert(rolled.state, rolled.limit, rolled.timeNanos), rolled.timeNanos);
        });
  }

  long available(long now) {
    return Math.max(0, counted().advance(now).available());
  }

  /** Whether nothing counts as used. */
  boolean isWhole(long now) {
    return available(now) >= counted().limit.capacity();
  }

  long availableAt(long permits, long now) {
    Counted rolled = counted().advance(now);
    return rolled.limit.availableAt(rolled.state, permits, rolled.timeNanos);
  }

  long resetAt(long now) {
    Counted before = counted();
    return before.limit.resetAt(before.state, now);
  }

  private Counted counted() {
    return Objects.requireNonNull(counted.get());
  }
}
