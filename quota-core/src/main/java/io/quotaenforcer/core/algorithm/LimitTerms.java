package io.quotaenforcer.core.algorithm;

/**
 * A limit as rules and records spell it: the terms of every algorithm side by side. Those that an
 * algorithm does not have are 0, false or {@code GREEDY}.
 *
 * @param windows of the period; only a fixed window may have those of a calendar
 * @param slots parts of the period of sliding sub-windows
 * @param countThrottled whether a log counts throttled requests
 * @param maxHoldNanos how long a request may hold its slots of a concurrency limit
 */
public record LimitTerms(
    Algorithm algorithm,
    long permits,
    Windows windows,
    BucketTerms bucket,
    int slots,
    boolean countThrottled,
    long maxHoldNanos) {

  /** How the tokens of a period come. */
  public enum Refill {
    /** One by one, as soon as time has passed for one. */
    GREEDY,
    /** All at the end of the period. */
    INTERVAL
  }

  /** The terms that every limit has; a bucket needs its {@linkplain #withBurst burst}, too. */
  public static LimitTerms of(Algorithm algorithm, long permits, Windows windows) {
    return new LimitTerms(algorithm, permits, windows, BucketTerms.NONE, 0, false, 0);
  }

  public static LimitTerms of(Algorithm algorithm, long permits, long periodNanos) {
    return of(algorithm, permits, new Windows.Aligned(periodNanos));
  }

  public long burst() {
    return bucket.burst();
  }

  public long initial() {
    return bucket.initial();
  }

  public Refill refill() {
    return bucket.refill();
  }

  public long warmUpNanos() {
    return bucket.warmUpNanos();
  }

  /** With a burst; a token bucket is full at first. */
  public LimitTerms withBurst(long newBurst) {
    long newInitial = algorithm == Algorithm.TOKEN_BUCKET ? newBurst : 0;
    return with(new BucketTerms(newBurst, newInitial, refill(), warmUpNanos()));
  }

  public LimitTerms withInitial(long newInitial) {
    return with(new BucketTerms(burst(), newInitial, refill(), warmUpNanos()));
  }

  public LimitTerms withRefill(Refill newRefill) {
    return with(new BucketTerms(burst(), initial(), newRefill, warmUpNanos()));
  }

  public LimitTerms withWarmUp(long newWarmUpNanos) {
    return with(new BucketTerms(burst(), initial(), refill(), newWarmUpNanos));
  }

  private LimitTerms with(BucketTerms newBucket) {
    return new LimitTerms(
        algorithm, permits, windows, newBucket, slots, countThrottled, maxHoldNanos);
  }

  public LimitTerms withSlots(int newSlots) {
    return new LimitTerms(
        algorithm, permits, windows, bucket, newSlots, countThrottled, maxHoldNanos);
  }

  public LimitTerms withCountThrottled(boolean newCountThrottled) {
    return new LimitTerms(
        algorithm, permits, windows, bucket, slots, newCountThrottled, maxHoldNanos);
  }

  public LimitTerms withMaxHold(long newMaxHoldNanos) {
    return new LimitTerms(
        algorithm, permits, windows, bucket, slots, countThrottled, newMaxHoldNanos);
  }

  /** The limit; throws IllegalArgumentException, naming the term, when one cannot be right. */
  public Limit toLimit() {
    Limit limit = algorithm.of(this);
    LimitTerms has = limit.terms();
    check(windows.equals(has.windows), "windows", windows);
    check(burst() == has.burst(), "burst", burst());
    check(initial() == has.initial(), "initial", initial());
    check(refill() == has.refill(), "refill", refill());
    check(warmUpNanos() == has.warmUpNanos(), "warmUpNanos", warmUpNanos());
    check(slots == has.slots, "slots", slots);
    check(countThrottled == has.countThrottled, "countThrottled", countThrottled);
    check(maxHoldNanos == has.maxHoldNanos, "maxHoldNanos", maxHoldNanos);
    return limit;
  }

  private void check(boolean isOfTheLimit, String term, Object value) {
    if (!isOfTheLimit) {
      throw new IllegalArgumentException(
          "must not be given for %s: %s=%s".formatted(algorithm, term, value));
    }
  }
}
