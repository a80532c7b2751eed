package io.quotaenforcer.core.algorithm;

/**
 * A token bucket that is refilled at intervals: {@code permits} tokens at once at the end of each
 * period, as far as they fit; periods are aligned to the epoch. A request takes its cost in tokens.
 *
 * @param permits tokens that a refill brings
 * @param capacity most tokens that the bucket holds
 * @param initialPermits tokens that it holds at first
 */
public record IntervalBucket(long permits, long periodNanos, long capacity, long initialPermits)
    implements Bucket<IntervalBucket> {

  /**
   * What is in the bucket.
   *
   * @param refilledNanos time of the newest refill
   * @param parts tokens
   * @param forgottenNanos end of the last interval in which something was forgotten
   */
  public record State(long refilledNanos, long parts, long forgottenNanos) implements Level {
    @Override
    public State with(long newParts, long newForgottenNanos) {
      return new State(refilledNanos, newParts, newForgottenNanos);
    }
  }

  public IntervalBucket {
    Limits.check(permits, periodNanos);
    Limits.checkBucket(permits, capacity, initialPermits);
    if (2 * (capacity / Math.min(permits, capacity) + 1) > Long.MAX_VALUE / 4 / periodNanos) {
      throw new IllegalArgumentException(
          "must be refilled within a hundred years: burst=" + capacity);
    }
  }

  @Override
  public State initial(long now) {
    return new State(windowStart(now), initialPermits, Long.MIN_VALUE);
  }

  @Override
  public State advance(LimitState state, long now) {
    State before = (State) state;
    long target = windowStart(now);
    if (target <= before.refilledNanos) {
      return before;
    }
    long refills = (target - before.refilledNanos) / periodNanos;
    return new State(target, filled(before.parts, refills), before.forgottenNanos);
  }

  @Override
  public long available(LimitState state, long at) {
    return advance(state, at).parts;
  }

  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    long refills = Math.max(0, (windowStart(at) - windowStart(knownAt)) / periodNanos);
    return Math.max(known, filled(known, refills));
  }

  @Override
  public LimitState book(LimitState state, long used, long at) {
    State filled = advance(state, at);
    return Bucket.booked(filled, used, capacity, 1, lastOf(filled.refilledNanos));
  }

  /** Gives back nothing that was booked before something was forgotten. */
  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    State before = (State) state;
    if (at <= before.forgottenNanos) {
      return before;
    }
    long taken = Bucket.taken(unused, capacity, 1);
    long refills = Math.max(0, (before.refilledNanos - windowStart(at)) / periodNanos);
    long refilled = refills > taken / refill() ? taken : refills * refill();
    return Bucket.unbooked(before, taken, refilled, capacity);
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
    State filled = advance(state, now);
    long missing = wanted - filled.parts;
    return missing <= 0
        ? now
        : filled.refilledNanos + (missing + refill() - 1) / refill() * periodNanos;
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
    State filled = (State) from.advance(state, now);
    long used = Math.min(from.used(filled, now), 2 * capacity);
    return new State(filled.refilledNanos, capacity - used, lastOf(filled.refilledNanos));
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
