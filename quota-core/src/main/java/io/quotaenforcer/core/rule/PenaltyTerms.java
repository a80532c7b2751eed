package io.quotaenforcer.core.rule;

import java.time.Duration;

/**
 * When a quota key that keeps on asking beyond its limit is refused everything for a while, and for
 * how long. Immutable.
 *
 * @param after permits that are throttled within {@code withinNanos} before a penalty starts
 * @param forNanos how long the first penalty lasts
 * @param factor how many times as long as the one before a further one in a row lasts
 * @param upToNanos longest penalty
 */
public record PenaltyTerms(int after, long withinNanos, long forNanos, int factor, long upToNanos) {
  public static final int MAX_AFTER = 1_000_000;
  public static final int MAX_FACTOR = 100;
  public static final Duration SHORTEST = Duration.ofSeconds(1);
  public static final Duration LONGEST_WITHIN = Duration.ofDays(1);

  /** The time for which every instance can still read of it. */
  public static final Duration LONGEST = Duration.ofDays(7);

  /** The longest penalty of a rule that names none, unless its first is longer. */
  public static final Duration DEFAULT_UP_TO = Duration.ofDays(1);

  /**
   * @throws IllegalArgumentException if a value is out of its bounds
   */
  public PenaltyTerms {
    check("after", after, 1, MAX_AFTER);
    check("withinNanos", withinNanos, SHORTEST.toNanos(), LONGEST_WITHIN.toNanos());
    check("forNanos", forNanos, SHORTEST.toNanos(), LONGEST.toNanos());
    check("factor", factor, 1, MAX_FACTOR);
    check("upToNanos", upToNanos, forNanos, LONGEST.toNanos());
  }

  /**
   * How long a penalty lasts.
   *
   * @param inARow 1 for the first one
   */
  public long lengthNanos(int inARow) {
    long length = forNanos;
    for (int i = 1; i < inARow && length < upToNanos && factor > 1; i++) {
      length = length > upToNanos / factor ? upToNanos : length * factor;
    }
    return Math.min(length, upToNanos);
  }

  private static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "must be between %d and %d: penalty.%s=%d".formatted(least, most, name, value));
    }
  }
}
