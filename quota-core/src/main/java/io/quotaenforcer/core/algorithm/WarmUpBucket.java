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
 * <p>Counted in millionths of a permit.
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

  /**
   * The contents of the bucket.
   *
   * @param parts millionths of a permit
   * @param firstUsedNanos when the key was first used
   */
  public record State(long refilledNanos, long parts, long forgottenNanos, long firstUsedNanos)
      implements Level {
    @Override
    public State with(long newParts, long newForgottenNanos) {
      return new State(refilledNanos, newParts, newForgottenNanos, firstUsedNanos);
    }
  }

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
  public State initial(long now) {
    return new State(now, initialPermits * MILLIONTHS, Long.MIN_VALUE, now);
  }

  @Override
  public State advance(LimitState state, long now) {
    State before = (State) state;
    return now <= before.refilledNanos
        ? before
        : new State(now, filled(before, now), before.forgottenNanos, before.firstUsedNanos);
  }

  @Override
  public long available(LimitState state, long at) {
    return Math.floorDiv(filled((State) state, at), MILLIONTHS);
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
    State filled = advance(state, at);
    return Bucket.booked(filled, used, capacity, MILLIONTHS, filled.refilledNanos);
  }

  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    State before = (State) state;
    if (!mayUnbook(before, at)) {
      return before;
    }
    long taken = Bucket.taken(unused, capacity, MILLIONTHS);
    long refilled = refilled(before, at, before.refilledNanos, taken);
    return Bucket.unbooked(before, taken, refilled, capacity * MILLIONTHS);
  }

  @Override
  public long used(LimitState state, long now) {
    return -Math.floorDiv(filled((State) state, now) - capacity * MILLIONTHS, MILLIONTHS);
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    return wanted > capacity ? Long.MAX_VALUE : whenFilled((State) state, wanted * MILLIONTHS, now);
  }

  @Override
  public long resetAt(LimitState state, long now) {
    return whenFilled((State) state, capacity * MILLIONTHS, now);
  }

  /** A part that somebody else has would have to be as warm. */
  @Override
  public boolean isDivisible() {
    return false;
  }

  /** A while after it is full: who comes back by then finds the bucket as warm as it was. */
  @Override
  public long forgettableAt(LimitState state, long now) {
    return resetAt(state, now) + warmUpNanos;
  }

  /** Keeps the deficit and the warmth of the old bucket. */
  @Override
  public LimitState convert(LimitState state, Limit from, long now) {
    long used = Math.min(from.used(state, now), 2 * capacity);
    State before = (State) state;
    long time = Math.max(now, before.refilledNanos);
    return new State(time, (capacity - used) * MILLIONTHS, time, before.firstUsedNanos);
  }

  @Override
  public WarmUpBucket withCapacity(long newPermits, long newCapacity, long newInitialPermits) {
    return new WarmUpBucket(newPermits, periodNanos, newCapacity, newInitialPermits, warmUpNanos);
  }

  @Override
  public LimitTerms terms() {
    return Bucket.super.terms().withWarmUp(warmUpNanos);
  }

  private long whenFilled(State state, long wanted, long now) {
    if (filled(state, now) >= wanted) {
      return now;
    }
    long missing = wanted - state.parts;
    long low = Math.max(now, state.refilledNanos);
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

  private long filled(State state, long at) {
    long missing = capacity * MILLIONTHS - state.parts;
    return state.parts + refilled(state, state.refilledNanos, at, missing);
  }

  /** Millionths that come in a time, but no more than are of interest. */
  private long refilled(State state, long from, long until, long most) {
    if (until <= from || most <= 0) {
      return 0;
    }
    long since = state.firstUsedNanos;
    return ClimbingRate.of(permits, periodNanos, warmUpNanos)
        .between(Math.max(0, from - since), Math.max(0, until - since), most);
  }
}
