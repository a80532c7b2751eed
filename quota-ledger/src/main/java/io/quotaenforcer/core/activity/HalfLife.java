package io.quotaenforcer.core.activity;

/**
 * The time in which a weight comes to count half.
 *
 * @param nanos more than 0
 */
public record HalfLife(long nanos) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double LEAST_SECONDS = 10;

  public HalfLife {
    if (nanos <= 0) {
      throw new IllegalArgumentException("must be > 0: nanos=" + nanos);
    }
  }

  /** How often a weight is halved in some time; none in a negative one. */
  double halvings(long elapsedNanos) {
    return Math.max(0, elapsedNanos) / (double) nanos;
  }

  /**
   * The even pace at which weights come that have this sum.
   *
   * @param elapsedNanos since the first of them could come; taken for ten seconds at least, since
   *     what was not heard before a takeover comes at once
   */
  public double perSecond(double sum, long elapsedNanos) {
    double seconds = nanos / NANOS_PER_SECOND;
    double elapsed = Math.max(LEAST_SECONDS, elapsedNanos / NANOS_PER_SECOND);
    double gathered = (1 - Math.pow(2, -elapsed / seconds)) * seconds / Math.log(2);
    return sum / gathered;
  }
}
