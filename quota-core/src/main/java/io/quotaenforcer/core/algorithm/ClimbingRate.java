package io.quotaenforcer.core.algorithm;

import java.math.BigInteger;

/**
 * A rate that climbs evenly from a third of it to all of it, and stays there. By a time {@code t}
 * after the start it has brought its integral, rounded down: {@code rate (t / 3 + t^2 / 3w)} until
 * it is warm, and {@code rate (t - w / 3)} from then on.
 *
 * @param amount what it brings, once it is warm, ...
 * @param nanos in this time
 * @param warmUpNanos the time {@code w} in which it climbs
 */
record ClimbingRate(long amount, long nanos, long warmUpNanos) {
  static final long MILLIONTHS = 1_000_000;
  static final long COLD_FACTOR = 3;

  /** Millionths of permits that come. */
  static ClimbingRate of(long permits, long periodNanos, long warmUpNanos) {
    // Small numbers are quick, and periods mostly whole milliseconds.
    return periodNanos % MILLIONTHS == 0
        ? new ClimbingRate(permits, periodNanos / MILLIONTHS, warmUpNanos)
        : new ClimbingRate(permits * MILLIONTHS, periodNanos, warmUpNanos);
  }

  /**
   * Permits that arrive between two times after the start, up to {@code most}.
   *
   * @param from 0 or more
   * @param until {@code from} or more
   */
  long between(long from, long until, long most) {
    // Times up to this one give products that fit into a long.
    long longest = Long.MAX_VALUE / 4 / amount;
    if (until > longest && from > warmUpNanos) {
      // Once it is warm, the same comes again and again.
      long skipped = (from - warmUpNanos) / nanos * nanos;
      from -= skipped;
      until -= skipped;
    }
    return Math.max(until, warmUpNanos) <= longest
        ? Math.min(most, by(until) - by(from))
        : byLarge(until).subtract(byLarge(from)).min(BigInteger.valueOf(most)).longValueExact();
  }

  /** Rounding down part by part comes to the same as at the end: whole numbers are added. */
  private long by(long time) {
    if (time >= warmUpNanos) {
      return amount * (COLD_FACTOR * time - warmUpNanos) / (COLD_FACTOR * nanos);
    }
    // t^2 = square * w + rest, of which only the rest must fit. It may be a w too large or small,
    // since a double is less than one off.
    long square = (long) ((double) time * time / warmUpNanos);
    long rest = time * time - square * warmUpNanos;
    return (amount * (time + square) + Math.floorDiv(amount * rest, warmUpNanos))
        / (COLD_FACTOR * nanos);
  }

  private BigInteger byLarge(long nanosSince) {
    BigInteger time = BigInteger.valueOf(nanosSince);
    BigInteger warmUp = BigInteger.valueOf(warmUpNanos);
    BigInteger thirds = BigInteger.valueOf(COLD_FACTOR);
    BigInteger area =
        nanosSince < warmUpNanos
            ? time.multiply(warmUp.add(time))
            : time.multiply(thirds).subtract(warmUp).multiply(warmUp);
    return area.multiply(BigInteger.valueOf(amount))
        .divide(warmUp.multiply(thirds).multiply(BigInteger.valueOf(nanos)));
  }
}
