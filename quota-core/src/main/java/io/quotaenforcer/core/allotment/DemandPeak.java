package io.quotaenforcer.core.allotment;

/**
 * The most that was asked for lately, in permits per second: a share was made for that. Fades with
 * time, so that a demand that ebbs away is not taken for one that has gone. Belongs to the owner of
 * the book.
 */
final class DemandPeak {
  private static final double FADES_NANOS = 1e9;

  private double perSecond;
  private long atNanos;

  /** Notes a demand that was reported. */
  void saw(double reportedPerSecond, long now) {
    perSecond = Math.max(reportedPerSecond, perSecondAt(now));
    atNanos = now;
  }

  /** Forgets what was before. */
  void fellTo(double nowPerSecond, long now) {
    perSecond = nowPerSecond;
    atNanos = now;
  }

  double perSecondAt(long now) {
    return perSecond * Math.exp(-Math.max(0, now - atNanos) / FADES_NANOS);
  }
}
