package io.quotaenforcer.core.backtest;

/**
 * Bounds on a back-test's memory.
 *
 * @param maxQuotaKeys quota keys of one set of rules whose use is remembered; of more, those that
 *     were not asked for the longest are forgotten, and begin anew
 * @param maxCounted quota keys that are counted one by one, see {@link TopKeys}
 * @param maxHeldBack events that wait for others to be put in order, see {@link EventOrder}
 * @param latenessNanos how far an event may come behind a later one and still be put in order
 */
public record BacktestBounds(
    int maxQuotaKeys, int maxCounted, int maxHeldBack, long latenessNanos) {
  /** 500,000 keys remembered, 200,000 counted, 50,000 events held back, a minute late: 0.5 GB. */
  public static final BacktestBounds DEFAULTS =
      new BacktestBounds(500_000, 200_000, 50_000, 60_000_000_000L);

  public BacktestBounds {
    checkPositive("maxQuotaKeys", maxQuotaKeys);
    checkPositive("maxCounted", maxCounted);
    checkPositive("maxHeldBack", maxHeldBack);
    if (latenessNanos < 0) {
      throw new IllegalArgumentException("must be >= 0: latenessNanos=" + latenessNanos);
    }
  }

  private static void checkPositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("must be >= 1: " + name + "=" + value);
    }
  }
}
