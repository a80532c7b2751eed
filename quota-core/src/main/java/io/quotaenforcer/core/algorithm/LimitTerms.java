package io.quotaenforcer.core.algorithm;

/**
 * A limit as rules and records spell it: the terms of every algorithm side by side. Those that an
 * algorithm does not have are 0, false or {@code GREEDY}.
 *
 * @param windows of the period; only a fixed window may have those of a calendar
 * @param burst of a token bucket, the most tokens that it holds; of a leaky bucket, the requests
 *     that may come too early
 * @param initial tokens that a bucket holds at first
 * @param warmUpNanos time in which a cold bucket comes to its full rate; 0 for one that is never
 *     cold
 * @param slots parts of the period of sliding sub-windows
 * @param countThrottled whether a log counts throttled requests
 */
public record LimitTerms(
    Algorithm algorithm,
    long permits,
    Windows windows,
    long burst,
    long initial,
    Refill refill,
    long warmUpNanos,
    int slots,
    boolean countThrottled) {

  /** How the tokens of a period come. */
  public enum Refill {
    /** One by one, as soon as time has passed for one. */
    GREEDY,
    /** All at the end of the period. */
    INTERVAL
  }

  /** The terms that every limit has; a bucket needs its {@linkplain #withBurst burst}, too. */
  public static LimitTerms of(Algorithm algorithm, long permits, Windows windows) {
    return new LimitTerms(algorithm, permits, windows, 0, 0, Refill.GREEDY, 0, 0, false);
  }

  public static LimitTerms of(Algorithm algorithm, long permits, long periodNanos) {
    return of(algorithm, permits, new Windows.Aligned(periodNanos));
  }

  /** With a burst; a token bucket is full at first. */
  public LimitTerms withBurst(long newBurst) {
    long newInitial = algorithm == Algorithm.TOKEN_BUCKET ? newBurst : 0;
    return new LimitTerms(
        algorithm,
        permits,
        windows,
        newBurst,
        newInitial,
        refill,
        warmUpNanos,
        slots,
        countThrottled);
  }

  public LimitTerms withInitial(long newInitial) {
    return new LimitTerms(
        algorithm, permits, windows, burst, newInitial, refill, warmUpNanos, slots, countThrottled);
  }

  public LimitTerms withRefill(Refill newRefill) {
    return new LimitTerms(
        algorithm, permits, windows, burst, initial, newRefill, warmUpNanos, slots, countThrottled);
  }

  public LimitTerms withWarmUp(long newWarmUpNanos) {
    return new LimitTerms(
        algorithm, permits, windows, burst, initial, refill, newWarmUpNanos, slots, countThrottled);
  }

  public LimitTerms withSlots(int newSlots) {
    return new LimitTerms(
        algorithm, permits, windows, burst, initial, refill, warmUpNanos, newSlots, countThrottled);
  }

  public LimitTerms withCountThrottled(boolean newCountThrottled) {
    return new LimitTerms(
        algorithm, permits, windows, burst, initial, refill, warmUpNanos, slots, newCountThrottled);
  }

  /** The limit; throws IllegalArgumentException, naming the term, when one cannot be right. */
  public Limit toLimit() {
    Limit limit = build();
    LimitTerms has = limit.terms();
    check(windows.equals(has.windows), "windows", windows);
    check(burst == has.burst, "burst", burst);
    check(initial == has.initial, "initial", initial);
    check(refill == has.refill, "refill", refill);
    check(warmUpNanos == has.warmUpNanos, "warmUpNanos", warmUpNanos);
    check(slots == has.slots, "slots", slots);
    check(countThrottled == has.countThrottled, "countThrottled", countThrottled);
    return limit;
  }

  private void check(boolean isOfTheLimit, String term, Object value) {
    if (!isOfTheLimit) {
      throw new IllegalArgumentException(
          "must not be given for %s: %s=%s".formatted(algorithm, term, value));
    }
  }

  private Limit build() {
    long period = windows.longestNanos();
    return switch (algorithm) {
      case FIXED_WINDOW -> new FixedWindow(permits, windows);
      case SLIDING_WINDOW -> new SlidingWindow(permits, period);
      case SLIDING_SUB_WINDOWS -> new SlidingSubWindows(permits, period, slots);
      case SLIDING_LOG -> new SlidingLog(permits, period, countThrottled);
      case LEAKY_BUCKET -> LeakyBucket.of(permits, period, burst);
      case TOKEN_BUCKET -> {
        if (refill == Refill.INTERVAL) {
          yield new IntervalBucket(permits, period, burst, initial);
        }
        yield warmUpNanos > 0
            ? new WarmUpBucket(permits, period, burst, initial, warmUpNanos)
            : new TokenBucket(permits, period, burst, initial);
      }
    };
  }
}
