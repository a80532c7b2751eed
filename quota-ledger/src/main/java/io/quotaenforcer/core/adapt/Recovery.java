package io.quotaenforcer.core.adapt;

/**
 * How a limit comes back once nothing lowers it. Immutable.
 *
 * @param basisPoints of the limit as it is written, in hundredths of a percent
 * @param everyNanos after which time it rises by so much, again and again
 */
public record Recovery(int basisPoints, long everyNanos) {
  /** By 5 % every 10 s: from half to the whole takes 100 s. */
  public static final Recovery DEFAULT = new Recovery(500, 10_000_000_000L);

  public Recovery {
    if (basisPoints < 1 || basisPoints > AdaptTerms.WHOLE) {
      throw new IllegalArgumentException(
          "must be between 1 and %d: basisPoints=%d".formatted(AdaptTerms.WHOLE, basisPoints));
    }
    if (everyNanos <= 0) {
      throw new IllegalArgumentException("must be positive: everyNanos=" + everyNanos);
    }
  }
}
