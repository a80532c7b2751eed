package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;

/** The state of a limit in a ledger's row: a number of words whose meaning depends on the limit. */
final class LimitStateCodec {
  private LimitStateCodec() {}

  static void write(RowOutput out, LimitState state) {
    if (state instanceof FixedWindow.State s) {
      write(out, 3, s.startNanos(), s.used(), s.usedInNext());
    } else if (state instanceof SlidingWindow.State s) {
      write(out, 3, s.startNanos(), s.used(), s.usedBefore());
    } else if (state instanceof TokenBucket.State s) {
      write(
          out,
          isLent(s.lentPermits(), s.lentMillis()) ? 5 : 3,
          s.refilledNanos(),
          s.parts(),
          s.forgottenNanos());
      writeLent(out, s.lentPermits(), s.lentMillis());
    } else if (state instanceof IntervalBucket.State s) {
      write(
          out,
          isLent(s.lentPermits(), s.lentMillis()) ? 5 : 3,
          s.refilledNanos(),
          s.parts(),
          s.forgottenNanos());
      writeLent(out, s.lentPermits(), s.lentMillis());
    } else if (state instanceof WarmUpBucket.State s) {
      write(out, 4, s.refilledNanos(), s.parts(), s.forgottenNanos());
      out.writeLong(s.firstUsedNanos());
    } else if (state instanceof SlidingSubWindows.State s) {
      out.writeInt(1 + s.parts());
      out.writeLong(s.startNanos());
      for (int age = 0; age < s.parts(); age++) {
        out.writeLong(s.count(age));
      }
    } else if (state instanceof SlidingLog.State s) {
      out.writeInt(2 + 2 * s.moments());
      out.writeLong(s.newestNanos());
      out.writeLong(s.isRounded() ? 1 : 0);
      for (int i = 0; i < s.moments(); i++) {
        out.writeLong(s.moment(i));
        out.writeLong(s.permits(i));
      }
    } else if (state instanceof ConcurrencyLimit.State s) {
      out.writeInt(1);
      out.writeLong(s.running());
    } else {
      throw new IllegalArgumentException("must be a state of a known limit: state=" + state);
    }
  }

  private static void write(RowOutput out, int words, long first, long second, long third) {
    out.writeInt(words);
    out.writeLong(first);
    out.writeLong(second);
    out.writeLong(third);
  }

  private static void writeLent(RowOutput out, long permits, long millis) {
    if (isLent(permits, millis)) {
      out.writeLong(permits);
      out.writeLong(millis);
    }
  }

  private static boolean isLent(long permits, long millis) {
    return permits != 0 || millis != 0;
  }

  /**
   * The state of a limit.
   *
   * @param words of the state
   */
  static LimitState read(RowInput in, Limit limit, int words) {
    if (limit instanceof FixedWindow) {
      return new FixedWindow.State(in.readLong(), in.readLong(), in.readLong());
    }
    if (limit instanceof SlidingWindow) {
      return new SlidingWindow.State(in.readLong(), in.readLong(), in.readLong());
    }
    if (limit instanceof IntervalBucket) {
      boolean isLent = words > 3;
      return new IntervalBucket.State(
          in.readLong(),
          in.readLong(),
          in.readLong(),
          isLent ? in.readLong() : 0,
          isLent ? in.readLong() : 0);
    }
    if (limit instanceof WarmUpBucket) {
      return new WarmUpBucket.State(in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }
    if (limit instanceof SlidingSubWindows) {
      return SlidingSubWindows.State.of(in.readLong(), readLongs(in, words - 1));
    }
    if (limit instanceof SlidingLog) {
      return SlidingLog.State.of(in.readLong(), in.readLong() == 1, readLongs(in, words - 2));
    }
    if (limit instanceof ConcurrencyLimit) {
      return new ConcurrencyLimit.State(in.readLong());
    }
    if (TokenBucket.in(limit).isPresent()) {
      return readTokens(in, words > 3);
    }
    throw new IllegalStateException("a ledger row has a limit without a state: " + limit);
  }

  private static TokenBucket.State readTokens(RowInput in, boolean isLent) {
    long refilled = in.readLong();
    long parts = in.readLong();
    long forgotten = in.readLong();
    return new TokenBucket.State(
        refilled, parts, forgotten, isLent ? in.readLong() : 0, isLent ? in.readLong() : 0);
  }

  private static long[] readLongs(RowInput in, int count) {
    long[] words = new long[count];
    for (int i = 0; i < count; i++) {
      words[i] = in.readLong();
    }
    return words;
  }
}
