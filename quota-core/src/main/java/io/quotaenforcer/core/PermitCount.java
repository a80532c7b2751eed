package io.quotaenforcer.core;

/**
 * Bounds on requested and counted permits, and sums that stop at a bound instead of overflowing.
 */
public final class PermitCount {
  /** Most permits that one request can cost: no limit is larger. */
  public static final long MAX_COST = 1_000_000_000_000L;

  /** Most permits that an instance reports as refused, needed or in demand. */
  public static final long MAX_REPORTED = 1_000_000_000_000_000L;

  /** Bound of a sum: far beyond any limit, and small enough for several to add up. */
  public static final long MAX_SUM = 1L << 60;

  private PermitCount() {}

  /**
   * The sum of two counts or changes of counts, as far as it is within {@link #MAX_SUM} of zero.
   */
  public static long plus(long count, long change) {
    return within(within(count) + within(change));
  }

  /** Whether a count can be reported unchanged. */
  public static boolean isReportable(long count) {
    return count >= 0 && count <= MAX_REPORTED;
  }

  /** The reportable part of a count; a count that overflowed earlier counts as 0. */
  public static long reported(long count) {
    return Math.max(0, Math.min(MAX_REPORTED, count));
  }

  /** The reportable part of a rate. */
  public static double reported(double perSecond) {
    return Math.min(MAX_REPORTED, perSecond);
  }

  /**
   * Refuses permits that no request can ask for.
   *
   * @param name of the argument
   */
  public static void checkCost(String name, long permits) {
    if (permits < 1) {
      throw new IllegalArgumentException("must be >= 1: " + name + "=" + permits);
    }
    checkMost(name, permits);
  }

  /** Refuses more permits than a request can cost. */
  public static void checkMost(String name, long permits) {
    if (permits > MAX_COST) {
      throw new IllegalArgumentException("must be <= " + MAX_COST + ": " + name + "=" + permits);
    }
  }

  private static long within(long value) {
    return Math.max(-MAX_SUM, Math.min(MAX_SUM, value));
  }
}
