package io.quotaenforcer.core.allotment;

/**
 * Permits asked for per second: an exponentially weighted moving average over about {@value #LOOPS}
 * report intervals, updated at uneven times.
 */
final class DemandMeter {
  private static final int LOOPS = 6;

  private final double timeConstantNanos;
  private long measuredAtNanos;
  private long measuredAsked;
  private double perSecond;

  DemandMeter(long reportIntervalNanos, long now) {
    timeConstantNanos = (double) LOOPS * reportIntervalNanos;
    measuredAtNanos = now - reportIntervalNanos;
  }

  /**
   * Updates the rate.
   *
   * @param asked permits asked for since the key was first seen
   */
  void measure(long asked, long now) {
    long elapsed = now - measuredAtNanos;
    if (elapsed <= 0) {
      return;
    }
    double rate = Math.max(0, asked - measuredAsked) * 1e9 / elapsed;
    perSecond += (rate - perSecond) * (1 - Math.exp(-elapsed / timeConstantNanos));
    measuredAtNanos = now;
    measuredAsked = asked;
  }

  double perSecond() {
    return perSecond < 1e-3 ? 0 : perSecond;
  }
}
