package io.quotaenforcer.core;

/** Bounds of what is asked for and counted, and sums that stop at one instead of overflowing. */
public final class PermitCount {
  /** Most permits that one request can cost: no limit is larger. */
  public static final long MAX_COST = 1_000_000_000_000L;

  /** Most that an instance reports of permits that it refused, needs or sees asked for. */
  public static final long MAX_REPORTED = 1_000_000_000_000_000L;

  /** Most that a sum can reach: far beyond any limit, and several of them still add up. */
  public static final long MAX_SUM = 1L << 60;

  private PermitCount() {}

  /**
   * The sum of two counts or changes of counts, as far as it is within {@link #MAX_SUM} of zero.
   */
  public static long plus(long count, long change) {
    return within(within(count) + within(change));
  }

  /** Whether a count can be reported as it is. */
  public static boolean isReportable(long count) {
    return count >= 0 && count <= MAX_REPORTED;
  }

  /** What can be reported of a count: one that overflowed before is taken for none. */
  public static long reported(long count) {
    return Math.max(0, Math.min(MAX_REPORTED, count));
  }

  /** What can be reported of a rate. */
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
