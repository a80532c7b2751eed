package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.algorithm.Limit;

/**
 * How far instances may admit requests of a quota key by their own count. Immutable.
 *
 * <p>A key is <em>short</em> once more was asked for than there was: then grants alone decide, for
 * a while after the last time that this was so; where requests come so seldom that instances hear
 * of each one before the next, only until there are permits again. It is <em>abused</em> when what
 * was admitted over the limit, by instances that had not heard of each other, is more than half of
 * the limit: then no instance opens with the whole limit for some time, twice as long each time.
 *
 * @param shortUntilNanos enforcer time until which grants alone decide
 * @param abusedUntilNanos enforcer time until which the whole limit is not to be opened
 * @param abuses how often in a row the key was abused
 * @param periodStartNanos the period that {@code over} was counted in
 * @param over permits admitted over the limit in that period
 */
public record Trust(
    long shortUntilNanos, long abusedUntilNanos, int abuses, long periodStartNanos, long over) {
  /** For a key that has never been short. */
  public static final Trust WHOLE = new Trust(0, 0, 0, 0, 0);

  private static final long SECOND = 1_000_000_000L;

  /** Abuse is remembered for so long at the most, or for two periods if that is longer. */
  private static final long LONGEST_ABUSE_NANOS = 600 * SECOND;

  /** The time for which every instance can still read of it. */
  static final long MOST_REMEMBERED_NANOS = 7 * 24 * 3_600 * SECOND;

  /** A key stays short for so long at least, or for two periods if that is shorter. */
  private static final long LEAST_SHORT_NANOS = 10 * SECOND;

  private static final int MOST_DOUBLINGS = 30;

  boolean isShort(long now) {
    return now < shortUntilNanos;
  }

  boolean isAbused(long now) {
    return now < abusedUntilNanos;
  }

  /**
   * Grants alone decide from now on.
   *
   * @param freeAtNanos when an eighth of the limit is free again if nothing else is used
   */
  Trust shortage(Limit limit, long freeAtNanos, long now) {
    long least = now + Math.min(2 * limit.periodNanos(), LEAST_SHORT_NANOS);
    return shortUntil(Math.max(least, freeAtNanos), limit, now);
  }

  /** Grants alone decide until a time, but for no longer than two periods. */
  Trust shortUntil(long until, Limit limit, long now) {
    long twoPeriods = 2 * limit.periodNanos();
    return new Trust(
        Math.max(shortUntilNanos, Math.min(until, now + twoPeriods)),
        abusedUntilNanos,
        abuses,
        periodStartNanos,
        over);
  }

  /** Permits more were admitted over the limit by instances that did not know of each other. */
  Trust over(long permits, Limit limit, boolean mayBeAbused, long now) {
    long period = limit.windowStart(now);
    long sum = period == periodStartNanos ? PermitCount.plus(over, permits) : permits;
    Trust counted = new Trust(shortUntilNanos, abusedUntilNanos, abuses, period, sum);
    return mayBeAbused && !isAbused(now) && sum > limit.permits() / 2
        ? counted.abused(limit, now)
        : counted;
  }

  private Trust abused(Limit limit, long now) {
    boolean again = now - abusedUntilNanos <= abuseNanos(limit, abuses);
    int times = again ? abuses + 1 : 1;
    long until = now + abuseNanos(limit, times);
    return new Trust(shortUntilNanos, until, times, periodStartNanos, 0);
  }

  /** Two periods, and twice as long each time. */
  private static long abuseNanos(Limit limit, int times) {
    long twoPeriods = 2 * limit.periodNanos();
    long longest = Math.max(LONGEST_ABUSE_NANOS, twoPeriods);
    int doublings = Math.min(Math.max(0, times - 1), MOST_DOUBLINGS);
    long nanos = twoPeriods > longest >> doublings ? longest : twoPeriods << doublings;
    return Math.min(nanos, MOST_REMEMBERED_NANOS);
  }

  /** Enforcer time from which nothing of this matters any more. */
  long forgettableFrom(Limit limit) {
    return abuses == 0
        ? shortUntilNanos
        : Math.max(shortUntilNanos, abusedUntilNanos + abuseNanos(limit, abuses));
  }
}
