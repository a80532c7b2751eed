package io.quotaenforcer.core.algorithm;

/**
 * At most {@code permits} slots are held at a time: a request takes its slots when it begins, and
 * gives them back when it ends. They do not come back with time. Only slots whose holder is gone
 * count as free after a while.
 *
 * @param permits slots
 * @param maxHoldNanos how long a request runs at most: slots of a holder that is not heard of any
 *     more are free so long after it can have given the last one away
 */
public record ConcurrencyLimit(long permits, long maxHoldNanos) implements Limit {
  /** Shortest time for which a request may be allowed to run. */
  public static final long MIN_HOLD_NANOS = 100_000_000L;

  /** A day. */
  public static final long MAX_HOLD_NANOS = 24L * 3600 * 1_000_000_000L;

  /** Requests are counted by the minute in which they began. */
  private static final long COUNTED_NANOS = 60_000_000_000L;

  /**
   * Slots that count.
   *
   * @param running those that are held, or may be
   */
  public record State(long running) implements LimitState {}

  public ConcurrencyLimit {
    Limits.check(permits, COUNTED_NANOS);
    if (maxHoldNanos < MIN_HOLD_NANOS || maxHoldNanos > MAX_HOLD_NANOS) {
      throw new IllegalArgumentException(
          "must be between 100 ms and 24 hours: maxHoldNanos=" + maxHoldNanos);
    }
  }

  /** The windows that requests are counted in; they have no part in what is allowed. */
  public static Windows counted() {
    return new Windows.Aligned(COUNTED_NANOS);
  }

  /** The period by which requests are counted. */
  @Override
  public long periodNanos() {
    return COUNTED_NANOS;
  }

  @Override
  public long capacity() {
    return permits;
  }

  @Override
  public State initial(long now) {
    return new State(0);
  }

  @Override
  public LimitState advance(LimitState state, long now) {
    return state;
  }

  @Override
  public long available(LimitState state, long at) {
    return permits - ((State) state).running;
  }

  @Override
  public State book(LimitState state, long taken, long at) {
    return new State(Limits.count(((State) state).running, taken));
  }

  @Override
  public State unbook(LimitState state, long released, long at) {
    return book(state, -released, at);
  }

  /** Any of them may have been given back. */
  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    return at > knownAt ? permits : known;
  }

  @Override
  public long used(LimitState state, long now) {
    return ((State) state).running;
  }

  /**
   * When the wanted slots come free, if all are held and each for as long as may be, one after the
   * other; they may come free at any moment.
   */
  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    if (wanted > permits) {
      return Long.MAX_VALUE;
    }
    return available(state, now) >= wanted
        ? now
        : now + Limits.mulDiv(maxHoldNanos, wanted, permits);
  }

  /** When all are free that are held now, if nobody holds one for longer than may be. */
  @Override
  public long resetAt(LimitState state, long now) {
    return ((State) state).running > 0 ? now + maxHoldNanos : now;
  }

  @Override
  public long cellWindow(long at) {
    return 0;
  }

  @Override
  public long voidAt(long cellWindow) {
    return Long.MAX_VALUE;
  }

  @Override
  public long bookedAt(long at, long cellWindow) {
    return at;
  }

  @Override
  public long borderBefore(long at) {
    return windowStart(at);
  }

  @Override
  public boolean countsAlike(Limit other) {
    return other instanceof ConcurrencyLimit;
  }

  @Override
  public boolean isDivisible() {
    return false;
  }

  @Override
  public boolean isBucket() {
    return false;
  }

  @Override
  public RenewalTerms renewal() {
    return new RenewalTerms.Releases();
  }

  @Override
  public LimitTerms terms() {
    return LimitTerms.of(Algorithm.CONCURRENCY, permits, counted()).withMaxHold(maxHoldNanos);
  }

  @Override
  public ConcurrencyLimit withPermits(long newPermits) {
    return new ConcurrencyLimit(newPermits, maxHoldNanos);
  }
}
