package io.quotaenforcer.core.algorithm;

/**
 * How many permits of a limit an instance may keep while nobody asks for them: an instance and the
 * enforcer have to agree on that.
 */
public final class AtRest {
  /** So many permits, or so small a part of the limit, are few. */
  private static final long FEW = 4;

  private static final long SMALL_PART = 16;

  /** Above this pace a key is hardly ever idle. */
  private static final double SLOW_PER_SECOND = 4;

  private static final long LARGE_PART = 2;
  private static final double NANOS_PER_SECOND = 1e9;

  private AtRest() {}

  /** Permits of a limit, or of a bucket its capacity if that is less. */
  public static long whole(Limit limit) {
    return Math.min(limit.permits(), limit.capacity());
  }

  /** So few permits that each instance may have them left. */
  public static long few(Limit limit) {
    return Math.max(FEW, whole(limit) / SMALL_PART);
  }

  /**
   * The most permits of a share that may be kept: few of them; or those that come slowly, of up to
   * half of the limit, since most of them are used. A bucket's come by the enforcer.
   */
  public static long most(Limit limit) {
    double slow = SLOW_PER_SECOND * limit.periodNanos() / NANOS_PER_SECOND;
    long many = limit.isBucket() ? 0 : (long) Math.min(whole(limit) / LARGE_PART, slow);
    return Math.max(few(limit), many);
  }
}
