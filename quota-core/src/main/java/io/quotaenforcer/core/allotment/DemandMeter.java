package io.quotaenforcer.core.allotment;

/**
 * Permits asked for per second: an exponentially weighted moving average over about {@value #LOOPS}
 * report intervals, updated at uneven times. A rise that is more than chance is believed at once:
 * one by more than {@value #DEVIATIONS} standard deviations of a Poisson count of requests. What
 * comes during a {@linkplain Pauses pause} may be counted after it: a demand that may have been the
 * same in spite of the count is believed to be.
 */
final class DemandMeter {
  private static final int LOOPS = 6;

  private static final int DEVIATIONS = 4;

  /**
   * The same of a further fall: a demand that has fallen did so within what was measured before.
   */
  private static final int DEVIATIONS_FALLING = 2;

  /** Permits per report interval below which there is no demand: at 20 ms, 1 in 17 minutes. */
  private static final double NOTHING = 2e-5;

  private final long reportIntervalNanos;
  private final Pauses pauses;
  private long measuredAtNanos;
  private long measuredAsked;
  private double perSecond;
  private double leastPerSecond;
  private long measuredLost;
  private boolean isFalling;

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
   * @param cost permits of a request, 1 or more
   */
  void measure(long asked, long cost, long now) {
    long elapsed = now - measuredAtNanos;
    if (elapsed <= 0) {
      return;
    }
    long lost = pauses.lostNanos();
    long late = Math.min(elapsed, lost - measuredLost);
    double count = Math.max(0, asked - measuredAsked);
    Span span = new Span(elapsed - late, elapsed + lateNanos);
    boolean rises = isMore(count, perSecond * span.longest / 1e9, cost, DEVIATIONS);
    boolean falls =
        isMore(
            leastPerSecond * span.shortest / 1e9,
            count,
            cost,
            isFalling ? DEVIATIONS_FALLING : DEVIATIONS);
    perSecond = rises ? count * 1e9 / span.longest : toward(count, span, perSecond);
    if (rises || falls) {
      leastPerSecond = count * 1e9 / (rises ? span.longest : span.shortest);
    } else {
      leastPerSecond = toward(count, span, leastPerSecond);
    }
    isFalling = falls;
    measuredAtNanos = now;
    measuredAsked = Math.max(measuredAsked, asked);
    measuredLost = lost;
    lateNanos = Math.max(0, lateNanos - elapsed) + late;
  }

  /**
   * The time in which what was counted was asked for: without the pauses in it, or with those
   * before, the requests of which came late.
   */
  private record Span(long shortest, long longest) {}

  private double toward(double count, Span span, double before) {
    boolean fewer = count < before * span.shortest / 1e9;
    boolean more = count > before * span.longest / 1e9;
    if (!fewer && !more) {
      return before;
    }
    long nanos = fewer ? span.shortest : span.longest;
    double weight = 1 - Math.exp(-nanos / ((double) LOOPS * reportIntervalNanos));
    return before + (count * 1e9 / nanos - before) * weight;
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

  private static boolean isMore(double count, double than, long cost, int deviations) {
    double deviation = Math.sqrt((Math.max(count, than) + cost) * cost);
    return count - than > deviations * deviation;
  }
}
