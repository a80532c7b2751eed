package io.quotaenforcer.core.algorithm;

/**
 * A token bucket that is refilled at intervals: {@code permits} tokens at once at the end of each
 * period, as far as they fit; periods are aligned to the epoch. A request takes its cost in tokens.
 *
 * <p>State: the newest refill, tokens (negative when overdrawn), and the end of the last interval
 * in which a booking went below the deepest overdraft and was partly forgotten.
 *
 * @param permits tokens that a refill brings
 * @param capacity most tokens that the bucket holds
 * @param initialPermits tokens that it holds at first
 */
public record IntervalBucket(long permits, long periodNanos, long capacity, long initialPermits)
    implements Bucket<IntervalBucket> {

  public IntervalBucket {
    Limits.check(permits, periodNanos);
    Limits.checkBucket(permits, capacity, initialPermits);
    if (2 * (capacity / Math.min(permits, capacity) + 1) > Long.MAX_VALUE / 4 / periodNanos) {
      throw new IllegalArgumentException(
          "must be refilled within a hundred years: burst=" + capacity);
    }
  }

  @Override
  public LimitState initial(long now) {
    return LimitState.of(windowStart(now), initialPermits, Long.MIN_VALUE);
  }

  @Override
  public LimitState advance(LimitState state, long now) {
    long target = windowStart(now);
    if (target <= state.word(0)) {
      return state;
    }
    long refills = (target - state.word(0)) / periodNanos;
    return LimitState.of(target, filled(state.word(1), refills), state.word(2));
  }

  @Override
  public long available(LimitState state, long at) {
    return advance(state, at).word(1);
  }

  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    long refills = Math.max(0, (windowStart(at) - windowStart(knownAt)) / periodNanos);
    return Math.max(known, filled(known, refills));
  }

  @Override
  public LimitState book(LimitState state, long used, long at) {
    LimitState filled = advance(state, at);
    return Bucket.booked(filled, used, capacity, 1, lastOf(filled.word(0)));
  }

  /** Gives back nothing that was booked before something was forgotten. */
  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    if (at <= state.word(2)) {
      return state;
    }
    long taken = Bucket.taken(unused, capacity, 1);
    long refills = Math.max(0, (state.word(0) - windowStart(at)) / periodNanos);
    long refilled = refills > taken / refill() ? taken : refills * refill();
    return Bucket.unbooked(state, taken, refilled, capacity);
  }

  @Override
  public long used(LimitState state, long now) {
    return capacity - available(state, now);
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    if (wanted > capacity) {
      return Long.MAX_VALUE;
    }
    LimitState filled = advance(state, now);
    long missing = wanted - filled.word(1);
    return missing <= 0 ? now : filled.word(0) + (missing + refill() - 1) / refill() * periodNanos;
  }

  @Override
  public long resetAt(LimitState state, long now) {
    return availableAt(state, capacity, now);
  }

  @Override
  public boolean bordersMatter() {
    return true;
  }

  /** Of one interval: nothing comes before its end. */
  @Override
  public long mostInAPeriod() {
    return capacity;
  }

  /** What is missing from the old bucket is missing from the new one. */
  @Override
  public LimitState convert(LimitState state, Limit from, long now) {
    LimitState filled = from.advance(state, now);
    long used = Math.min(from.used(filled, now), 2 * capacity);
    return LimitState.of(filled.word(0), capacity - used, lastOf(filled.word(0)));
  }

  @Override
  public IntervalBucket withCapacity(long newPermits, long newCapacity, long newInitialPermits) {
    return new IntervalBucket(newPermits, periodNanos, newCapacity, newInitialPermits);
  }

  @Override
  public LimitTerms terms() {
    return Bucket.super.terms().withRefill(LimitTerms.Refill.INTERVAL);
  }

  /** What never fits repays no overdraft either: that may be of the next interval already. */
  private long refill() {
    return Math.min(permits, capacity);
  }

  /** Whatever was booked since a refill was booked by then. */
  private long lastOf(long refill) {
    return refill + periodNanos - 1;
  }

  private long filled(long tokens, long refills) {
    return refills > (capacity - tokens) / refill()
        ? capacity
        : Math.min(capacity, tokens + refills * refill());
  }
}
