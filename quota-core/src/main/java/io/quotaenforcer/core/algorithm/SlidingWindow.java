package io.quotaenforcer.core.algorithm;

/**
 * Sliding-window counter: the count of the current window plus that of the previous one, weighted
 * by how much of it still lies within one period of now, rounded down; a request is admitted while
 * that estimate plus its cost is at most {@code permits}.
 *
 * <p>As described by Cloudflare, "How we built rate limiting capable of scaling to millions of
 * domains" (2017).
 */
public record SlidingWindow(long permits, long periodNanos) implements RenewingLimit {

  /**
   * The permits used.
   *
   * @param startNanos of the current window
   * @param used in it
   * @param usedBefore in the window before it
   */
  public record State(long startNanos, long used, long usedBefore) implements LimitState {}

  public SlidingWindow {
    Limits.check(permits, periodNanos);
  }

  @Override
  public long capacity() {
    return permits;
  }

  @Override
  public State initial(long now) {
    return new State(windowStart(now), 0, 0);
  }

  @Override
  public State advance(LimitState state, long now) {
    State before = (State) state;
    long target = windowStart(now);
    if (target <= before.startNanos) {
      return before;
    }
    return new State(target, 0, target == before.startNanos + periodNanos ? before.used : 0);
  }

  @Override
  public long available(LimitState state, long at) {
    return permits - estimate(advance(state, at), at);
  }

  /** As if all that was used had been so in the window before. */
  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    long end = windowEnd(windowStart(knownAt));
    long missing = permits - known;
    if (at >= end || missing <= 0) {
      return permits;
    }
    // That many and a part of one were missing before: what fades is rounded down.
    return permits - Limits.mulDiv(missing, end - Math.max(knownAt, at), end - knownAt);
  }

  @Override
  public State book(LimitState state, long used, long at) {
    State turned = advance(state, at);
    long start = turned.startNanos;
    if (at >= start) {
      return new State(start, Limits.count(turned.used, used), turned.usedBefore);
    }
    if (at >= start - periodNanos) {
      return new State(start, turned.used, Limits.count(turned.usedBefore, used));
    }
    return turned;
  }

  @Override
  public State unbook(LimitState state, long unused, long at) {
    State before = (State) state;
    long start = before.startNanos;
    if (at >= start && at < start + periodNanos) {
      return new State(start, Limits.count(before.used, -unused), before.usedBefore);
    }
    if (at < start && at >= start - periodNanos) {
      return new State(start, before.used, Limits.count(before.usedBefore, -unused));
    }
    return before;
  }

  @Override
  public long used(LimitState state, long now) {
    return estimate(advance(state, now), now);
  }

  /**
   * Within the current window the previous count fades at a constant pace; when even its end is not
   * enough, the current count must fade through the next window, and the answer is the first time
   * at which it has.
   */
  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    if (wanted > permits) {
      return Long.MAX_VALUE;
    }
    State turned = advance(state, now);
    if (available(turned, now) >= wanted) {
      return now;
    }
    long start = turned.startNanos;
    long roomBesideCurrent = permits - wanted - turned.used;
    if (roomBesideCurrent >= 0) {
      return Math.max(now, start + fadedTo(roomBesideCurrent, turned.usedBefore));
    }
    return start + periodNanos + fadedTo(permits - wanted, turned.used);
  }

  @Override
  public long resetAt(LimitState state, long now) {
    State turned = advance(state, now);
    if (turned.used > 0) {
      return turned.startNanos + 2 * periodNanos;
    }
    return turned.usedBefore > 0 ? turned.startNanos + periodNanos : now;
  }

  @Override
  public boolean bordersMatter() {
    return true;
  }

  @Override
  public boolean isDivisible() {
    return true;
  }

  @Override
  public RenewalTerms renewal() {
    return new RenewalTerms.Slots(periodNanos, 1, true);
  }

  @Override
  public LimitTerms terms() {
    return LimitTerms.of(Algorithm.SLIDING_WINDOW, permits, periodNanos);
  }

  @Override
  public SlidingWindow withPermits(long newPermits) {
    return new SlidingWindow(newPermits, periodNanos);
  }

  private long estimate(State turned, long at) {
    long elapsed = Math.max(0, at - turned.startNanos);
    long weight = Math.max(0, periodNanos - elapsed);
    return Limits.mulDiv(turned.usedBefore, weight, periodNanos) + turned.used;
  }

  /** Time into a window after which {@code count}, fading over it, weighs at most {@code room}. */
  private long fadedTo(long room, long count) {
    if (count <= room) {
      return 0;
    }
    // floor(count * (period - elapsed) / period) <= room as soon as the product is < room + 1.
    long weight = Limits.mulDiv(room + 1, periodNanos, count);
    boolean exact = Limits.mulDiv(count, weight, periodNanos) > room;
    return periodNanos - (exact ? weight - 1 : weight);
  }

  // Written out, as those of a record are slow until the last compiler has seen them: each report
  // on a key compares its limit.
  @Override
  public boolean equals(Object other) {
    return other instanceof SlidingWindow that
        && permits == that.permits
        && periodNanos == that.periodNanos;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(permits) + Long.hashCode(periodNanos);
  }
}
