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
  private static final long MILLIS = 1_000;

  /**
   * The contents of the bucket.
   *
   * @param refilledNanos time of the newest refill
   * @param parts tokens
   * @param forgottenNanos end of the last interval in which something was forgotten
   * @param lentPermits tokens that a refill brings to what is {@linkplain IntervalBucket#lend lent}
   * @param lentMillis capacity of that, in thousandths of a token
   */
  public record State(
      long refilledNanos, long parts, long forgottenNanos, long lentPermits, long lentMillis)
      implements Level {
    /** The state of a bucket that lends nothing. */
    public State(long refilledNanos, long parts, long forgottenNanos) {
      this(refilledNanos, parts, forgottenNanos, 0, 0);
    }

    @Override
    public State with(long newParts, long newForgottenNanos) {
      return at(refilledNanos, newParts, newForgottenNanos);
    }

    private State at(long newRefilledNanos, long newParts, long newForgottenNanos) {
      return new State(newRefilledNanos, newParts, newForgottenNanos, lentPermits, lentMillis);
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
    return before.at(target, filled(before, refills), before.forgottenNanos);
  }

  /**
   * Sets apart a part of the bucket for others, who refill and spend it by themselves: from the
   * next refill on, what is left gets the rest of it, as far as that fits into the rest of the
   * capacity. Comes in place of what was lent before.
   *
   * @param lentPermits tokens that a refill brings to others
   * @param lentMillis capacity in thousandths of a token
   * @param now for what is lent anew, a time after the last refill that others do not get; for what
   *     comes back, a time before the first one that they do not get
   */
  @Override
  public LimitState lend(LimitState state, long lentPermits, long lentMillis, long now) {
    State filled = advance(state, now);
    if (filled.lentPermits == lentPermits && filled.lentMillis == lentMillis) {
      return filled;
    }
    // What ran over because less fits in must not come back by taking back an earlier booking.
    boolean isMore = lentMillis > filled.lentMillis;
    long forgotten = isMore ? lastOf(filled.refilledNanos) : filled.forgottenNanos;
    long tokens = Math.min(filled.parts, full(lentMillis));
    return new State(filled.refilledNanos, tokens, forgotten, lentPermits, lentMillis);
  }

  @Override
  public long lentOfRefill(LimitState state) {
    return ((State) state).lentPermits;
  }

  @Override
  public LimitState putIn(LimitState state, long tokens) {
    State before = (State) state;
    long room = Math.max(0, full(before.lentMillis) - before.parts);
    return before.with(before.parts + Math.min(room, tokens), before.forgottenNanos);
  }

  @Override
  public long available(LimitState state, long at) {
    return advance(state, at).parts;
  }

  /** As if nothing were lent. */
  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    long refills = Math.max(0, (windowStart(at) - windowStart(knownAt)) / periodNanos);
    return Math.max(known, filled(known, refills, refill(), capacity));
  }

  @Override
  public LimitState book(LimitState state, long used, long at) {
    State filled = advance(state, at);
    return Bucket.booked(filled, used, capacity, 1, lastOf(filled.refilledNanos));
  }

  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    State before = (State) state;
    if (!mayUnbook(before, at)) {
      return before;
    }
    long taken = Bucket.taken(unused, capacity, 1);
    long refills = Math.max(0, (before.refilledNanos - windowStart(at)) / periodNanos);
    long refilled = refills > taken / refill() ? taken : refills * refill();
    return Bucket.unbooked(before, taken, refilled, full(before.lentMillis));
  }

  /** Tokens missing from what is not lent. */
  @Override
  public long used(LimitState state, long now) {
    return full(((State) state).lentMillis) - available(state, now);
  }

  /** As if what is lent came back now. */
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

  /** Covers only the part that is not lent, as if that part got the whole refill. */
  @Override
  public long resetAt(LimitState state, long now) {
    return availableAt(state, full(((State) state).lentMillis), now);
  }

  @Override
  public boolean bordersMatter() {
    return true;
  }

  /** The most within one interval: nothing comes before its end. */
  @Override
  public long mostInAPeriod() {
    return capacity;
  }

  /** Keeps the deficit of the old bucket. */
  @Override
  public LimitState convert(LimitState state, Limit from, long now) {
    State filled = (State) from.advance(state, now);
    long used = Math.min(from.used(filled, now), 2 * capacity);
    long tokens = Math.max(full(filled.lentMillis) - used, -capacity);
    return filled.at(filled.refilledNanos, tokens, lastOf(filled.refilledNanos));
  }

  @Override
  public IntervalBucket withCapacity(long newPermits, long newCapacity, long newInitialPermits) {
    return new IntervalBucket(newPermits, periodNanos, newCapacity, newInitialPermits);
  }

  @Override
  public boolean isDivisible() {
    return true;
  }

  @Override
  public RenewalTerms renewal() {
    return new RenewalTerms.Refills(periodNanos);
  }

  @Override
  public LimitTerms terms() {
    return Bucket.super.terms().withRefill(LimitTerms.Refill.INTERVAL);
  }

  /**
   * Tokens that never fit do not repay an overdraft either, as the overdraft may already belong to
   * the next interval.
   */
  private long refill() {
    return Math.min(permits, capacity);
  }

  /**
   * The last moment before the next refill: all that was booked since a refill was booked by then.
   */
  private long lastOf(long refill) {
    return refill + periodNanos - 1;
  }

  /** Tokens beside what is lent after some refills. */
  private long filled(State before, long refills) {
    long full = full(before.lentMillis);
    return filled(before.parts, refills, Math.min(permits - before.lentPermits, full), full);
  }

  private static long filled(long tokens, long refills, long refill, long full) {
    if (refill <= 0) {
      return tokens;
    }
    return refills > (full - tokens) / refill ? full : Math.min(full, tokens + refills * refill);
  }

  /** Tokens in the bucket when nothing but what is lent is missing; negative when too much is. */
  private long full(long lentMillis) {
    return capacity - Math.min(-Math.floorDiv(-lentMillis, MILLIS), 2 * capacity);
  }
}
