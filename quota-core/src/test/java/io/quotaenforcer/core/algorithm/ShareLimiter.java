package io.quotaenforcer.core.algorithm;

/** A share of a limit at its holder, who keeps it by a clock of its own. */
interface ShareLimiter {

  /** Takes permits if the share has room for them. */
  boolean tryTake(long permits, long clock);

  /** Permits that count as used. */
  long use(long clock);

  /** The window or interval that a permit taken now belongs to; 0 for kinds without. */
  long window(long clock);

  /**
   * Goes on by other terms.
   *
   * @param permits per period
   * @param capacity of a bucket
   * @param from renewals up to this time are not for what is new in these terms
   */
  void follow(long permits, long capacity, long from, long clock);

  /**
   * A share that begins with nothing.
   *
   * @param roundsUp whether it rounds its use up
   */
  static ShareLimiter of(Limit limit, boolean roundsUp, long clock) {
    if (limit instanceof IntervalBucket) {
      return new Refilled(limit.periodNanos(), clock);
    }
    return limit instanceof TokenBucket || limit instanceof LeakyBucket
        ? new Steady(limit.periodNanos(), clock)
        : new Counted(limit, roundsUp, clock);
  }

  /** Counts what was used as the whole limit would, and lets it reach the permits of its terms. */
  final class Counted implements ShareLimiter {
    private final Limit limit;
    private final boolean roundsUp;
    private LimitState state;
    private long permits;

    Counted(Limit limit, boolean roundsUp, long clock) {
      this.limit = limit;
      this.roundsUp = roundsUp;
      this.state = limit.initial(clock);
    }

    @Override
    public boolean tryTake(long wanted, long clock) {
      if (use(clock) + wanted > permits) {
        return false;
      }
      state = limit.book(state, wanted, Math.max(clock, window(clock)));
      return true;
    }

    @Override
    public long use(long clock) {
      state = limit.advance(state, clock);
      return state instanceof SlidingWindow.State counts && roundsUp
          ? roundedUp(counts, clock)
          : limit.used(state, clock);
    }

    private long roundedUp(SlidingWindow.State counts, long clock) {
      long period = limit.periodNanos();
      long left = Math.min(period, Math.max(0, counts.startNanos() + period - clock));
      return counts.used() - Math.floorDiv(-counts.usedBefore() * left, period);
    }

    @Override
    public long window(long clock) {
      state = limit.advance(state, clock);
      return state instanceof FixedWindow.State counts ? counts.startNanos() : 0;
    }

    @Override
    public void follow(long newPermits, long capacity, long from, long clock) {
      permits = newPermits;
      state = limit instanceof FixedWindow ? limit.advance(state, from) : state;
    }
  }

  /** Permits that come one by one, into a bucket; counted in parts of a period's nanosecond. */
  final class Steady implements ShareLimiter {
    private final long periodNanos;
    private long permits;
    private long capacity;
    private long level;
    private long levelAt;

    Steady(long periodNanos, long clock) {
      this.periodNanos = periodNanos;
      this.levelAt = clock;
    }

    @Override
    public boolean tryTake(long wanted, long clock) {
      fill(clock);
      if (level < wanted * periodNanos) {
        return false;
      }
      level -= wanted * periodNanos;
      return true;
    }

    private void fill(long clock) {
      if (clock > levelAt) {
        level = Math.min(capacity * periodNanos, level + (clock - levelAt) * permits);
        levelAt = clock;
      }
    }

    @Override
    public long use(long clock) {
      return 0;
    }

    @Override
    public long window(long clock) {
      return 0;
    }

    @Override
    public void follow(long newPermits, long newCapacity, long from, long clock) {
      fill(clock);
      permits = newPermits;
      capacity = newCapacity;
      level = Math.min(level, capacity * periodNanos);
    }
  }

  /** Permits that come at the end of an interval, into a bucket. */
  final class Refilled implements ShareLimiter {
    private final long periodNanos;
    private long permits;
    private long capacity;
    private long tokens;
    private long refilled;

    /**
     * The least of what it had, for refills up to a time that its newest terms do not count for.
     */
    private long permitsBefore;

    private long capacityBefore;
    private long from;

    Refilled(long periodNanos, long clock) {
      this.periodNanos = periodNanos;
      this.refilled = Math.floorDiv(clock, periodNanos) * periodNanos;
      this.from = refilled;
    }

    @Override
    public boolean tryTake(long wanted, long clock) {
      refill(clock);
      if (tokens < wanted) {
        return false;
      }
      tokens -= wanted;
      return true;
    }

    private void refill(long clock) {
      while (clock >= refilled + periodNanos) {
        refilled += periodNanos;
        boolean isNew = refilled > from;
        long brought = isNew ? permits : Math.min(permits, permitsBefore);
        long most = isNew ? capacity : Math.min(capacity, capacityBefore);
        tokens = Math.min(most, tokens + brought);
      }
    }

    @Override
    public long use(long clock) {
      return 0;
    }

    @Override
    public long window(long clock) {
      refill(clock);
      return refilled;
    }

    @Override
    public void follow(long newPermits, long newCapacity, long newFrom, long clock) {
      refill(clock);
      boolean waits = refilled + periodNanos <= from;
      permitsBefore = waits ? Math.min(permits, permitsBefore) : permits;
      capacityBefore = waits ? Math.min(capacity, capacityBefore) : capacity;
      from = Math.max(from, newFrom);
      permits = newPermits;
      capacity = newCapacity;
      tokens = Math.min(tokens, capacity);
    }
  }
}
