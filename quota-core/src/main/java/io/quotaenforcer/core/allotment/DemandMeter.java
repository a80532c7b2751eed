package io.quotaenforcer.core.allotment;

/**
 * Permits asked for per second: an exponentially weighted moving average over about {@value #LOOPS}
 * report intervals, updated at uneven times. A rise that is more than chance is believed at once:
 * one by more than {@value #DEVIATIONS} standard deviations of a Poisson count. What comes during a
 * {@linkplain Pauses pause} may be counted after it: a demand that may have been the same in spite
 * of the count is believed to be.
 */
final class DemandMeter {
  private static final int LOOPS = 6;

  private static final int DEVIATIONS = 4;

  /** Permits per report interval below which there is no demand: at 20 ms, 1 in 17 minutes. */
  private static final double NOTHING = 2e-5;

  private final long reportIntervalNanos;
  private final Pauses pauses;
  private long measuredAtNanos;
  private long measuredAsked;
  private double perSecond;
  private double leastPerSecond;
  private long measuredLost;

  /** Of pauses whose requests may be still to come. */
  private long lateNanos;

  DemandMeter(long reportIntervalNanos, Pauses pauses, long now) {
    this.reportIntervalNanos = reportIntervalNanos;
    this.pauses = pauses;
    this.measuredLost = pauses.lostNanos();
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
    long lostNanos = pauses.lostNanos();
    if (elapsed <= 0) {
      return;
    }
    long lost = Math.min(elapsed - 1, lostNanos - measuredLost);
    double count = Math.max(0, asked - measuredAsked);
    double least = count * 1e9 / (elapsed + lateNanos);
    double most = count * 1e9 / (elapsed - lost);
    double weight = 1 - Math.exp(-elapsed / ((double) LOOPS * reportIntervalNanos));
    double rate = between(least, perSecond, most);
    boolean rises = isMore(rate, perSecond, elapsed);
    perSecond = rises ? rate : perSecond + (rate - perSecond) * weight;
    double rateOfLeast = between(least, leastPerSecond, most);
    boolean falls = isMore(leastPerSecond, rateOfLeast, elapsed);
    leastPerSecond =
        rises || falls ? rateOfLeast : leastPerSecond + (rateOfLeast - leastPerSecond) * weight;
    measuredAtNanos = now;
    measuredAsked = Math.max(measuredAsked, asked);
    measuredLost = lostNanos;
    lateNanos = Math.max(0, lateNanos - elapsed) + lost;
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

  private static double between(double least, double value, double most) {
    return Math.max(least, Math.min(most, value));
  }

  private static boolean isMore(double perSecond, double thanPerSecond, long elapsed) {
    double count = perSecond * elapsed / 1e9;
    double than = thanPerSecond * elapsed / 1e9;
    double deviation = Math.sqrt(Math.max(count, than) + 1);
    return count - than > DEVIATIONS * deviation;
  }
}
