package io.quotaenforcer.core.allotment;

/**
 * Permits asked for per second: an exponentially weighted moving average over about {@value #LOOPS}
 * report intervals, updated at uneven times. A rise that is more than chance is believed at once:
 * one by more than {@value #DEVIATIONS} standard deviations of a Poisson count.
 */
final class DemandMeter {
  private static final int LOOPS = 6;

  private static final int DEVIATIONS = 4;

  /** Permits per report interval below which there is no demand: at 20 ms, 1 in 17 minutes. */
  private static final double NOTHING = 2e-5;

  private final long reportIntervalNanos;
  private long measuredAtNanos;
  private long measuredAsked;
  private double perSecond;
  private double leastPerSecond;

  DemandMeter(long reportIntervalNanos, long now) {
    this.reportIntervalNanos = reportIntervalNanos;
    measuredAtNanos = now - reportIntervalNanos;
  }

  /**
   * Updates the rate.
   *
   * @param asked permits asked for since the key was first seen; less where a request waits no more
   *     that another rule refused, which is made up for by the next
   */
  void measure(long asked, long now) {
    long elapsed = now - measuredAtNanos;
    if (elapsed <= 0) {
      return;
    }
    double count = Math.max(0, asked - measuredAsked);
    double rate = count * 1e9 / elapsed;
    double weight = 1 - Math.exp(-elapsed / ((double) LOOPS * reportIntervalNanos));
    boolean rises = isMore(count, perSecond * elapsed / 1e9);
    perSecond = rises ? rate : perSecond + (rate - perSecond) * weight;
    boolean falls = isMore(leastPerSecond * elapsed / 1e9, count);
    leastPerSecond = rises || falls ? rate : leastPerSecond + (rate - leastPerSecond) * weight;
    measuredAtNanos = now;
    measuredAsked = Math.max(measuredAsked, asked);
  }

  double perSecond() {
    return orNothing(perSecond);
  }

  /** The same, but a fall that is more than chance is believed at once, too: it may be a pause. */
  double leastPerSecond() {
    return orNothing(leastPerSecond);
  }

  /** Believes the least: it is no pause. */
  void believeLeast() {
    perSecond = leastPerSecond;
  }

  private double orNothing(double rate) {
    return rate < NOTHING * 1e9 / reportIntervalNanos ? 0 : rate;
  }

  private static boolean isMore(double count, double than) {
    double deviation = Math.sqrt(Math.max(count, than) + 1);
    return count - than > DEVIATIONS * deviation;
  }
}
