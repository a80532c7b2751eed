package io.quotaenforcer.core.allotment;

/**
 * Permits asked for per second: an exponentially weighted moving average over about {@value #LOOPS}
 * report intervals, updated at uneven times.
 */
final class DemandMeter {
  private static final int LOOPS = 6;

  /** Permits per report interval below which there is no demand: at 20 ms, 1 in 17 minutes. */
  private static final double NOTHING = 2e-5;

  private final double timeConstantNanos;
  private final double nothingPerSecond;
  private long measuredAtNanos;
  private long measuredAsked;
  private double perSecond;

  DemandMeter(long reportIntervalNanos, long now) {
    timeConstantNanos = (double) LOOPS * reportIntervalNanos;
    nothingPerSecond = NOTHING * 1e9 / reportIntervalNanos;
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
    return perSecond < nothingPerSecond ? 0 : perSecond;
  }
}
