package io.quotaenforcer.simulation.overload;

/** Lets so many requests a second through, with a burst of a tenth of a second. */
final class RateGate implements Gate {
  private static final double BURST_SECONDS = 0.1;

  private double perSecond;
  private double permits;
  private long refilledAt;

  RateGate(double perSecond) {
    this.perSecond = perSecond;
  }

  /** From now on so many. */
  void set(double perSecond, long now) {
    refill(now);
    this.perSecond = perSecond;
  }

  @Override
  public boolean admits(int server, int inFlight, long now) {
    refill(now);
    if (permits < 1) {
      return false;
    }
    permits--;
    return true;
  }

  @Override
  public double letsThrough(double asked) {
    return Math.min(asked, perSecond);
  }

  private void refill(long now) {
    double most = Math.max(1, perSecond * BURST_SECONDS);
    permits = Math.min(most, permits + (now - refilledAt) / 1e9 * perSecond);
    refilledAt = now;
  }
}
