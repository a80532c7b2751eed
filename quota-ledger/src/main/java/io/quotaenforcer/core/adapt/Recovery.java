package io.quotaenforcer.core.adapt;

/**
 * How a limit comes back once nothing lowers it. Parts are of the limit as it is written, in
 * hundredths of a percent. Immutable.
 *
 * @param basisPoints by how much it rises at first
 * @param everyNanos after which time it rises, again and again
 * @param mostBasisPoints by how much it rises at most: after each ten rises in a row the next ones
 *     are twice as large
 */
public record Recovery(int basisPoints, long everyNanos, int mostBasisPoints) {
  /** By 0.5 % every 2 s, after 20 s without trouble faster and faster, up to 2 %. */
  public static final Recovery DEFAULT = new Recovery(50, 2_000_000_000L, 200);

  private static final int RISES_BEFORE_DOUBLING = 10;

  /** So many doublings that any rise is the largest. */
  private static final int MOST_DOUBLINGS = 14;

  /** Most rises that need be counted. */
  static final int MAX_RISES = RISES_BEFORE_DOUBLING * MOST_DOUBLINGS;

  public Recovery {
    check(basisPoints, 1, "basisPoints");
    check(mostBasisPoints, basisPoints, "mostBasisPoints");
    if (everyNanos <= 0) {
      throw new IllegalArgumentException("must be positive: everyNanos=" + everyNanos);
    }
  }

  /** By the same amount always. */
  public static Recovery even(int basisPoints, long everyNanos) {
    return new Recovery(basisPoints, everyNanos, basisPoints);
  }

  /** The next rise after so many in a row. */
  int after(int rises) {
    long rise = (long) basisPoints << Math.min(MOST_DOUBLINGS, rises / RISES_BEFORE_DOUBLING);
    return (int) Math.min(mostBasisPoints, rise);
  }

  private static void check(int basisPoints, int least, String name) {
    if (basisPoints < least || basisPoints > AdaptTerms.WHOLE) {
      throw new IllegalArgumentException(
          "must be between %d and %d: %s=%d".formatted(least, AdaptTerms.WHOLE, name, basisPoints));
    }
  }
}
