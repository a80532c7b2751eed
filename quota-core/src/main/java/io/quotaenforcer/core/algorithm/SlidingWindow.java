package io.quotaenforcer.core.algorithm;

/**
 * Sliding-window counter: the count of the current window plus that of the previous one, weighted
 * by how much of it still lies within one period of now, rounded down; a request is admitted while
 * that estimate plus its cost is at most {@code permits}.
 *
 * <p>As described by Cloudflare, "How we built rate limiting capable of scaling to millions of
 * domains" (2017). State: start of the current window, its count, the previous window's count.
 */
public record SlidingWindow(long permits, long periodNanos) implements RenewingLimit {

  public SlidingWindow {
    Limits.check(permits, periodNanos);
  }

  @Override
  public long capacity() {
    return permits;
  }

  @Override
  public LimitState initial(long now) {
    return LimitState.of(windowStart(now), 0, 0);
  }

  @Override
  public LimitState advance(LimitState state, long now) {
    long start = state.word(0);
    long target = windowStart(now);
    if (target <= start) {
      return state;
    }
    return LimitState.of(target, 0, target == start + periodNanos ? state.word(1) : 0);
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
  public LimitState book(LimitState state, long used, long at) {
    LimitState turned = advance(state, at);
    long start = turned.word(0);
    if (at >= start) {
      return LimitState.of(start, Limits.count(turned.word(1), used), turned.word(2));
    }
    if (at >= start - periodNanos) {
      return LimitState.of(start, turned.word(1), Limits.count(turned.word(2), used));
    }
    return turned;
  }

  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    long start = state.word(0);
    if (at >= start && at < start + periodNanos) {
      return LimitState.of(start, Limits.count(state.word(1), -unused), state.word(2));
    }
    if (at < start && at >= start - periodNanos) {
      return LimitState.of(start, state.word(1), Limits.count(state.word(2), -unused));
    }
    return state;
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
    LimitState turned = advance(state, now);
    if (available(turned, now) >= wanted) {
      return now;
    }
    long start = turned.word(0);
    long roomBesideCurrent = permits - wanted - turned.word(1);
    if (roomBesideCurrent >= 0) {
      return Math.max(now, start + fadedTo(roomBesideCurrent, turned.word(2)));
    }
    return start + periodNanos + fadedTo(permits - wanted, turned.word(1));
  }

  @Override
  public long resetAt(LimitState state, long now) {
    LimitState turned = advance(state, now);
    if (turned.word(1) > 0) {
      return turned.word(0) + 2 * periodNanos;
    }
    return turned.word(2) > 0 ? turned.word(0) + periodNanos : now;
  }

  @Override
  public boolean bordersMatter() {
    return true;
  }

  @Override
  public LimitTerms terms() {
    return LimitTerms.of(Algorithm.SLIDING_WINDOW, permits, periodNanos);
  }

  @Override
  public SlidingWindow withPermits(long newPermits) {
    return new SlidingWindow(newPermits, periodNanos);
  }

  private long estimate(LimitState turned, long at) {
    long elapsed = Math.max(0, at - turned.word(0));
    long weight = Math.max(0, periodNanos - elapsed);
    return Limits.mulDiv(turned.word(2), weight, periodNanos) + turned.word(1);
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
