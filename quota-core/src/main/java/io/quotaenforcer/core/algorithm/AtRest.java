package io.quotaenforcer.core.algorithm;

/**
 * How many permits of a limit an instance may keep while nobody asks for them: an instance and the
 * enforcer have to agree on that.
 */
public final class AtRest {
  /** Requests per second; above this pace a key that uses its limit is hardly ever idle. */
  public static final double SLOW_PER_SECOND = 4;

  /** So many permits, or so small a part of the limit, are few. */
  private static final long FEW = 4;

  private static final long SMALL_PART = 16;
  private static final long MOST_FEW = 16;

  private static final long LARGE_PART = 2;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Shorter windows turn while a successor's time stands still. */
  private static final long SHORTEST_NANOS = 1_000_000_000L;

  private static final long LONGEST_OF_BUCKET_NANOS = 24 * 3_600_000_000_000L;
  private static final long LONGEST_OF_REFILLS_NANOS = 2_000_000_000L;

  private AtRest() {}

  /**
   * Whether permits of such a limit may be kept: one that can be divided, whose windows turn slowly
   * enough. Of a bucket that fills within a loop or two nothing may be kept, since it may be
   * divided altogether; of one that is refilled at intervals only if they are short, since what is
   * given back is lost with the next refill.
   */
  public static boolean lets(Limit limit) {
    long period = limit.periodNanos();
    if (limit.renewal() instanceof RenewalTerms.Steady) {
      double fillsIn = (double) limit.capacity() / limit.permits() * period;
      return limit.isDivisible() && fillsIn >= SHORTEST_NANOS && period <= LONGEST_OF_BUCKET_NANOS;
    }
    boolean ofRefills = limit.renewal() instanceof RenewalTerms.Refills;
    return limit.isDivisible()
        && period >= SHORTEST_NANOS
        && (!ofRefills || period <= LONGEST_OF_REFILLS_NANOS);
  }

  /** Permits of a limit, or of a bucket its capacity if that is less. */
  public static long whole(Limit limit) {
    return Math.min(limit.permits(), limit.capacity());
  }

  /**
   * So few permits that each instance may have them left: four, or a small part of the limit. A
   * large part is for fixed windows only, of which it is missing once: a steady share of that size
   * would stay with whoever asks no more.
   */
  public static long few(Limit limit) {
    long part = whole(limit) / SMALL_PART;
    return Math.max(FEW, limit instanceof WindowedLimit ? part : Math.min(part, MOST_FEW));
  }

  /**
   * Permits that come slowly, of up to half of the limit: most of a share of these are used. A
   * bucket's come by the enforcer.
   */
  public static long slow(Limit limit) {
    double come = SLOW_PER_SECOND * limit.periodNanos() / NANOS_PER_SECOND;
    return limit.isBucket() ? 0 : (long) Math.min(whole(limit) / LARGE_PART, come);
  }

  /**
   * The most permits that may be left in a share that is kept: more than few, as they come back
   * after the last report.
   */
  public static long mostLeft(Limit limit) {
    return 2 * few(limit);
  }

  /** The most permits of a share that may be kept: few of them, or those that come slowly. */
  public static long most(Limit limit) {
    return Math.max(few(limit), slow(limit));
  }
}
