package io.quotaenforcer.core.message;

/**
 * Terms of a share: a part of a limit that an instance has for itself while its cell is valid.
 *
 * @param number grows with every change of a cell's terms; 0 for a cell that is not a share
 * @param permits per period of the limit
 * @param burstMillis most permits at once, in thousandths of a permit
 * @param filled of a bucket, the permits that were put into the share since it was opened; only
 *     grows
 */
public record RateShare(long number, long permits, long burstMillis, long filled) {
  /** Terms of a cell that holds only granted permits. */
  public static final RateShare NONE = new RateShare(0, 0, 0);

  /** Number under which an instance reports a share that it has ended. */
  public static final long ENDED = Long.MAX_VALUE;

  public RateShare {
    if (number < 0 || permits < 0 || burstMillis < 0 || filled < 0) {
      throw new IllegalArgumentException(
          "must not be negative: number=%d permits=%d burstMillis=%d filled=%d"
              .formatted(number, permits, burstMillis, filled));
    }
  }

  /** Terms of a share that nothing was put into. */
  public RateShare(long number, long permits, long burstMillis) {
    this(number, permits, burstMillis, 0);
  }

  /** Whether these are terms of a share, even an empty one. */
  public boolean isShare() {
    return number > 0;
  }
}
