package io.quotaenforcer.core.algorithm;

/**
 * At most {@code permits} in each window; windows do not overlap, so up to twice the limit may pass
 * around a boundary.
 *
 * <p>State: start of the current window, used in it, used in the next one (permits of the next
 * window may be granted, and reported, shortly before it begins).
 */
public record FixedWindow(long permits, Windows windows) implements WindowedLimit {

  public FixedWindow {
    Limits.check(permits, windows.longestNanos());
  }

  /** Windows of one length, aligned to the epoch. */
  public FixedWindow(long permits, long periodNanos) {
    this(permits, new Windows.Aligned(periodNanos));
  }

  @Override
  public long periodNanos() {
    return windows.longestNanos();
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
    return LimitState.of(target, target == windowEnd(start) ? state.word(2) : 0, 0);
  }

  /** Also answers for the window after the current one. */
  @Override
  public long available(LimitState state, long at) {
    return permits - usedIn(state, windowStart(at));
  }

  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    return windowStart(at) > windowStart(knownAt) ? permits : known;
  }

  @Override
  public LimitState book(LimitState state, long used, long at) {
    long start = state.word(0);
    long window = windowStart(at);
    if (window == start) {
      return LimitState.of(start, Limits.count(state.word(1), used), state.word(2));
    }
    if (window < start) {
      return state;
    }
    return window == windowEnd(start)
        ? LimitState.of(start, state.word(1), Limits.count(state.word(2), used))
        : book(advance(state, at), used, at);
  }

  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    return windowStart(at) > windowEnd(state.word(0)) ? state : book(state, -unused, at);
  }

  @Override
  public long used(LimitState state, long now) {
    return advance(state, now).word(1);
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    if (wanted > permits) {
      return Long.MAX_VALUE;
    }
    if (available(state, now) >= wanted) {
      return now;
    }
    long next = resetAt(state, now);
    return available(state, next) >= wanted ? next : windowEnd(next);
  }

  @Override
  public long resetAt(LimitState state, long now) {
    return windowEnd(Math.max(state.word(0), windowStart(now)));
  }

  /** When the last window ends in which something was used. */
  @Override
  public long forgettableAt(LimitState state, long now) {
    LimitState turned = advance(state, now);
    long end = windowEnd(turned.word(0));
    if (turned.word(2) > 0) {
      return windowEnd(end);
    }
    return turned.word(1) > 0 ? end : now;
  }

  @Override
  public long windowStart(long at) {
    return windows.start(at);
  }

  @Override
  public long windowEnd(long start) {
    return windows.end(start);
  }

  @Override
  public boolean countsAlike(Limit other) {
    return other instanceof FixedWindow that && windows.equals(that.windows);
  }

  @Override
  public FixedWindow withPermits(long newPermits) {
    return new FixedWindow(newPermits, windows);
  }

  @Override
  public LimitTerms terms() {
    return LimitTerms.of(Algorithm.FIXED_WINDOW, permits, windows);
  }

  private long usedIn(LimitState state, long window) {
    if (window <= state.word(0)) {
      return state.word(1);
    }
    return window == windowEnd(state.word(0)) ? state.word(2) : 0;
  }
}
