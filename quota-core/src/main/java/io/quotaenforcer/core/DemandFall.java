package io.quotaenforcer.core;

/** Tells a demand that has fallen from one that comes unevenly. */
public final class DemandFall {
  /** A demand is measured over this time, about. */
  private static final double MEASURED_SECONDS = 0.1;

  private static final double DEVIATIONS = 3;

  /** A pause that has not been longer is likely to end soon, in nanoseconds. */
  public static final long LONGEST_PAUSE_NANOS = 200_000_000L;

  private DemandFall() {}

  /**
   * Whether requests that still come at the rate {@code before} are hardly ever so few by chance,
   * as a Poisson count.
   *
   * @param before permits per second
   * @param now permits per second
   * @param cost permits of a request, 1 or more
   */
  public static boolean isMoreThanChance(double before, double now, long cost) {
    return isMoreThanChance(before / cost, now / cost);
  }

  private static boolean isMoreThanChance(double before, double now) {
    double expected = before * MEASURED_SECONDS;
    return expected - now * MEASURED_SECONDS > DEVIATIONS * Math.sqrt(expected + 1);
  }
}
