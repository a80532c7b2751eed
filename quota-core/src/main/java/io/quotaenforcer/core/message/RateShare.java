package io.quotaenforcer.core.message;

/**
 * Terms of a rate share: a part of a token bucket reserved for an instance while its cell is valid.
 *
 * @param number grows with every change of a cell's terms; 0 for a cell that is not a share
 * @param permits per period of the limit
 * @param burstMillis most permits at once, in thousandths of a permit
 */
public record RateShare(long number, long permits, long burstMillis) {
  /** Terms of a cell that holds only granted permits. */
  public static final RateShare NONE = new RateShare(0, 0, 0);

  /** Number under which an instance reports a share that it has ended. */
  public static final long ENDED = Long.MAX_VALUE;

  public RateShare {
    if (number < 0 || permits < 0 || burstMillis < 0) {
      throw new IllegalArgumentException(
          "must not be negative: number=%d permits=%d burstMillis=%d"
              .formatted(number, permits, burstMillis));
    }
  }

  /** Whether these are terms of a share, even an empty one. */
  public boolean isShare() {
    return number > 0;
  }
}
