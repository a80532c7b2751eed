package io.quotaenforcer.core.algorithm;

/**
 * A token bucket that is cold at first: it is refilled at a third of its rate when it is first
 * used, and at a rate that climbs evenly to the whole one within {@code warmUpNanos}. A key that is
 * forgotten is cold again when it comes back.
 *
 * <p>The rate climbs between the same ends as in Guava's {@code SmoothWarmingUp} and Sentinel's
 * {@code WarmUpController} (cold factor 3); with time here, where those climb with what is taken,
 * so that a use which is heard of late never makes the bucket warmer.
 *
 * <p>Counted in millionths of a permit. State: time of the last refill, millionths in the bucket
 * (negative when overdrawn), time of the last booking that went below the deepest overdraft and was
 * partly forgotten, and when the key was first used.
 *
 * @param permits tokens that come per period once the bucket is warm
 * @param capacity most tokens that the bucket holds
 * @param initialPermits tokens that it holds at first
 */
public record WarmUpBucket(
    long permits, long periodNanos, long capacity, long initialPermits, long warmUpNanos)
    implements Bucket<WarmUpBucket> {
  /** One day. */
  public static final long MAX_WARM_UP_NANOS = 24L * 3_600 * 1_000_000_000L;

  private static final long MILLIONTHS = ClimbingRate.MILLIONTHS;

  public WarmUpBucket {
    Limits.check(permits, periodNanos);
    Limits.checkBucket(permits, capacity, initialPermits);
    if (warmUpNanos < 1 || warmUpNanos > MAX_WARM_UP_NANOS) {
      throw new IllegalArgumentException(
          "must be above 0 and at most a day: warmUpNanos=" + warmUpNanos);
    }
    if (capacity > Long.MAX_VALUE / 4 / MILLIONTHS
        || 2 * ClimbingRate.COLD_FACTOR * (capacity / permits + 1)
            > Long.MAX_VALUE / 4 / periodNanos) {
      throw new IllegalArgumentException("must be refilled within fifty years: burst=" + capacity);
    }
  }

  @Override
  public LimitState initial(long now) {
    return LimitState.of(now, initialPermits * MILLIONTHS, Long.MIN_VALUE, now);
  }

  @Override
  public LimitState advance(LimitState state, long now) {
    return now <= state.word(0)
        ? state
        : LimitState.of(now, filled(state, now), state.word(2), state.word(3));
  }

  @Override
  public long available(LimitState state, long at) {
    return Math.floorDiv(filled(state, at), MILLIONTHS);
  }

  /** As if it were warm, and the next permit about to be whole. */
  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    if (at <= knownAt || known >= capacity) {
      return known;
    }
    double refilled = (double) (at - knownAt) * permits / periodNanos;
    return refilled >= capacity - known
        ? capacity
        : Math.min(capacity, known + 2 + (long) refilled);
  }

  @Override
  public LimitState book(LimitState state, long used, long at) {
    LimitState filled = advance(state, at);
    return Bucket.booked(filled, used, capacity, MILLIONTHS, filled.word(0));
  }

  /** Gives back nothing that was booked before something was forgotten. */
  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    if (at <= state.word(2)) {
      return state;
    }
    long taken = Bucket.taken(unused, capacity, MILLIONTHS);
    long refilled = refilled(state, at, state.word(0), taken);
    return Bucket.unbooked(state, taken, refilled, capacity * MILLIONTHS);
  }

  @Override
  public long used(LimitState state, long now) {
    return -Math.floorDiv(filled(state, now) - capacity * MILLIONTHS, MILLIONTHS);
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    return wanted > capacity ? Long.MAX_VALUE : whenFilled(state, wanted * MILLIONTHS, now);
  }

  @Override
  public long resetAt(LimitState state, long now) {
    return whenFilled(state, capacity * MILLIONTHS, now);
  }

  /** A while after it is full: who comes back by then finds the bucket as warm as it was. */
  @Override
  public long forgettableAt(LimitState state, long now) {
    return resetAt(state, now) + warmUpNanos;
  }

  /** What is missing from the old bucket is missing from the new one, and it is as warm. */
  @Override
  public LimitState convert(LimitState state, Limit from, long now) {
    long used = Math.min(from.used(state, now), 2 * capacity);
    long time = Math.max(now, state.word(0));
    return LimitState.of(time, (capacity - used) * MILLIONTHS, time, state.word(3));
  }

  @Override
  public WarmUpBucket withCapacity(long newPermits, long newCapacity, long newInitialPermits) {
    return new WarmUpBucket(newPermits, periodNanos, newCapacity, newInitialPermits, warmUpNanos);
  }

  @Override
  public LimitTerms terms() {
    return Bucket.super.terms().withWarmUp(warmUpNanos);
  }

  private long whenFilled(LimitState state, long wanted, long now) {
    if (filled(state, now) >= wanted) {
      return now;
    }
    long missing = wanted - state.word(1);
    long low = Math.max(now, state.word(0));
    // At a third of the rate, which is the least.
    long high = low + ClimbingRate.COLD_FACTOR * (missing / MILLIONTHS / permits + 2) * periodNanos;
    while (low + 1 < high) {
      long middle = low + (high - low) / 2;
      if (filled(state, middle) >= wanted) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private long filled(LimitState state, long at) {
    long missing = capacity * MILLIONTHS - state.word(1);
    return state.word(1) + refilled(state, state.word(0), at, missing);
  }

  /** Millionths that come in a time, but no more than are of interest. */
  private long refilled(LimitState state, long from, long until, long most) {
    if (until <= from || most <= 0) {
      return 0;
    }
    long since = state.word(3);
    return ClimbingRate.of(permits, periodNanos, warmUpNanos)
        .between(Math.max(0, from - since), Math.max(0, until - since), most);
  }
}
