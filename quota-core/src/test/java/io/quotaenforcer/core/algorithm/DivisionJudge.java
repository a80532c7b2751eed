package io.quotaenforcer.core.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Permits that were admitted beyond what the whole limit allows. */
abstract sealed class DivisionJudge implements DividedLimit.Judge {

  /** Permits over the limit, of what was taken so far. */
  abstract long over();

  /** For holders who share one clock: what is admitted is admitted by the whole limit, too. */
  static DivisionJudge undivided(Limit limit, long now) {
    return new Undivided(limit, now);
  }

  /**
   * For holders whose clocks differ: permits of a window or of an interval keep to the limit of
   * that one, whenever they are taken, and others to what the limit allows in any period
   * whatsoever.
   */
  static DivisionJudge anyPhase(Limit limit, long now) {
    if (limit instanceof FixedWindow) {
      return new Windows(limit);
    }
    return limit instanceof IntervalBucket ? new Intervals(limit, now) : new Periods(limit);
  }

  private static final class Undivided extends DivisionJudge {
    private final Limit limit;
    private LimitState state;
    private long over;

    Undivided(Limit limit, long now) {
      this.limit = limit;
      this.state = limit.initial(now);
    }

    @Override
    public void taken(long permits, long now, long clock, long window) {
      if (limit.available(state, now) < permits) {
        over += permits;
      } else {
        state = limit.book(state, permits, now);
      }
    }

    @Override
    long over() {
      return over;
    }
  }

  private static final class Windows extends DivisionJudge {
    private final Limit limit;
    private final Map<Long, Long> used = new TreeMap<>();

    Windows(Limit limit) {
      this.limit = limit;
    }

    @Override
    public void taken(long permits, long now, long clock, long window) {
      used.merge(window, permits, Long::sum);
    }

    @Override
    long over() {
      return used.values().stream().mapToLong(sum -> Math.max(0, sum - limit.permits())).sum();
    }
  }

  /** Runs the bucket over the intervals that permits came for. */
  private static final class Intervals extends DivisionJudge {
    private final Limit bucket;
    private final LimitState initial;
    private final TreeMap<Long, Long> used = new TreeMap<>();

    Intervals(Limit bucket, long now) {
      this.bucket = bucket;
      this.initial = bucket.initial(now);
    }

    @Override
    public void taken(long permits, long now, long clock, long window) {
      used.merge(window, permits, Long::sum);
    }

    @Override
    long over() {
      long over = 0;
      LimitState state = initial;
      for (Map.Entry<Long, Long> interval : used.entrySet()) {
        long available = bucket.available(state, interval.getKey());
        over += Math.max(0, interval.getValue() - available);
        state = bucket.book(state, Math.min(available, interval.getValue()), interval.getKey());
      }
      return over;
    }
  }

  /** Looks at each stretch of time that ends when something is taken. */
  private static final class Periods extends DivisionJudge {
    private static final int MOST_PERIODS = 20;

    private final Limit limit;
    private final List<long[]> taken = new ArrayList<>();

    Periods(Limit limit) {
      this.limit = limit;
    }

    @Override
    public void taken(long permits, long now, long clock, long window) {
      taken.add(new long[] {now, permits});
    }

    @Override
    long over() {
      if (limit instanceof SlidingLog) {
        return over(limit.periodNanos(), limit.permits());
      }
      if (limit instanceof SlidingSubWindows) {
        return over(limit.periodNanos() - limit.borderNanos(), limit.permits());
      }
      long over = 0;
      for (int periods = 1; periods <= MOST_PERIODS; periods++) {
        // A sliding counter allows twice the limit around a border, and a bucket what it holds.
        long most = periods * limit.permits() + limit.capacity();
        over = Math.max(over, over(periods * limit.periodNanos(), most));
      }
      return over;
    }

    private long over(long nanos, long most) {
      long worst = 0;
      long sum = 0;
      int first = 0;
      for (long[] each : taken) {
        sum += each[1];
        while (taken.get(first)[0] <= each[0] - nanos) {
          sum -= taken.get(first++)[1];
        }
        worst = Math.max(worst, sum - most);
      }
      return worst;
    }
  }
}
