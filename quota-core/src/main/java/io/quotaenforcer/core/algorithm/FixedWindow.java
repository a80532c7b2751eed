package io.quotaenforcer.core.algorithm;

/**
 * At most {@code permits} in each window; windows do not overlap, so up to twice the limit may pass
 * around a boundary.
 */
public record FixedWindow(long permits, Windows windows) implements WindowedLimit {

  /**
   * The permits used; permits of the next window may be granted, and reported, shortly before it
   * begins.
   *
   * @param startNanos of the current window
   * @param used in it
   * @param usedInNext in the window after it
   */
  public record State(long startNanos, long used, long usedInNext) implements LimitState {}

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
    return new State(target, target == windowEnd(before.startNanos) ? before.usedInNext : 0, 0);
  }

  /** Also answers for the window after the current one. */
  @Override
  public long available(LimitState state, long at) {
    return permits - usedIn((State) state, windowStart(at));
  }

  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    return windowStart(at) > windowStart(knownAt) ? permits : known;
  }

  @Override
  public State book(LimitState state, long used, long at) {
    State before = (State) state;
    long start = before.startNanos;
    long window = windowStart(at);
    if (window == start) {
      return new State(start, Limits.count(before.used, used), before.usedInNext);
    }
    if (window < start) {
      return before;
    }
    return window == windowEnd(start)
        ? new State(start, before.used, Limits.count(before.usedInNext, used))
        : book(advance(before, at), used, at);
  }

  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    return windowStart(at) > windowEnd(((State) state).startNanos)
        ? state
        : book(state, -unused, at);
  }

  @Override
  public long used(LimitState state, long now) {
    return advance(state, now).used;
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
    return windowEnd(Math.max(((State) state).startNanos, windowStart(now)));
  }

  /** When the last window ends in which something was used. */
  @Override
  public long forgettableAt(LimitState state, long now) {
    State turned = advance(state, now);
    long end = windowEnd(turned.startNanos);
    if (turned.usedInNext > 0) {
      return windowEnd(end);
    }
    return turned.used > 0 ? end : now;
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

  private long usedIn(State state, long window) {
    if (window <= state.startNanos) {
      return state.used;
    }
    return window == windowEnd(state.startNanos) ? state.usedInNext : 0;
  }
}
