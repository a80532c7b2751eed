package io.quotaenforcer.core.algorithm;

import java.math.BigInteger;

/** Checks and overflow-safe arithmetic shared by the algorithms. */
final class Limits {
  /** Shortest period that can be enforced: below it a feedback loop spans whole windows. */
  static final long MIN_PERIOD_NANOS = 100_000_000L;

  /** 400 days. */
  static final long MAX_PERIOD_NANOS = 400L * 24 * 3600 * 1_000_000_000L;

  static final long MAX_PERMITS = 1_000_000_000_000L;

  /** Most that a count can reach: far beyond any limit, and two of them still add up. */
  static final long MAX_COUNT = 1L << 60;

  /** Below it a quotient of floating point numbers is off by less than one before it is cut. */
  private static final double MOST_ESTIMATED = 1L << 50;

  /** So that a few times the divisor is no overflow. */
  private static final long MOST_DIVISOR = 1L << 60;

  private Limits() {}

  static void check(long permits, long periodNanos) {
    if (permits < 0 || permits > MAX_PERMITS) {
      throw new IllegalArgumentException(
          "must be between 0 and " + MAX_PERMITS + ": permits=" + permits);
    }
    if (periodNanos < MIN_PERIOD_NANOS || periodNanos > MAX_PERIOD_NANOS) {
      throw new IllegalArgumentException(
          "must be between 100 ms and 400 days: periodNanos=" + periodNanos);
    }
  }

  static void checkBucket(long permits, long capacity, long initialPermits) {
    if (permits < 1) {
      throw new IllegalArgumentException("must be >= 1 for a token bucket: permits=" + permits);
    }
    if (capacity < 1 || capacity > MAX_PERMITS) {
      throw new IllegalArgumentException(
          "must be between 1 and " + MAX_PERMITS + ": burst=" + capacity);
    }
    if (initialPermits < 0 || initialPermits > capacity) {
      throw new IllegalArgumentException(
          "must be between 0 and the burst, " + capacity + ": initial=" + initialPermits);
    }
  }

  /** An even part of a limit, one permit at least if there is one. */
  static long share(long permits, int instances) {
    return Math.min(permits, Math.max(1, permits / instances));
  }

  /** {@code floor(a * b / c)} for non-negative arguments, exact even where {@code a * b} is not. */
  static long mulDiv(long a, long b, long c) {
    if (Math.multiplyHigh(a, b) == 0 && a * b >= 0) {
      return a * b / c;
    }
    double estimate = (double) a * b / c;
    if (estimate < MOST_ESTIMATED && c < MOST_DIVISOR) {
      // Off by less than two, so that what remains is exact, though both products overflow.
      long near = (long) estimate;
      return near + Math.floorDiv(a * b - near * c, c);
    }
    return BigInteger.valueOf(a)
        .multiply(BigInteger.valueOf(b))
        .divide(BigInteger.valueOf(c))
        .longValueExact();
  }

  /** A count after {@code change} permits more, or fewer; between 0 and {@link #MAX_COUNT}. */
  static long count(long before, long change) {
    long bounded = Math.max(-MAX_COUNT, Math.min(MAX_COUNT, change));
    return Math.max(0, Math.min(MAX_COUNT, before + bounded));
  }

  static long greatestCommonDivisor(long a, long b) {
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
}
