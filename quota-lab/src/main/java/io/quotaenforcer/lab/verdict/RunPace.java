package io.quotaenforcer.lab.verdict;

import java.util.Locale;

/**
 * The machine's pace during a judged run, in nanoseconds of the decisions' clock.
 *
 * @param longestLoopNanos the longest time from report to answer; 0 if none was measured
 * @param longestStallNanos the longest delay of a thread that asks: threads that report share its
 *     processors, and late reports are answered late
 * @param speed how many times faster than the machine's clock the decisions' clock ran
 */
public record RunPace(long longestLoopNanos, long longestStallNanos, long speed) {
  /**
   * Half of the time after which an instance considers the enforcer away. Beyond it, rules decide
   * without the enforcer, and leases end before they are renewed.
   */
  private static final long ANSWERED_NANOS = 500_000_000L;

  /**
   * A loop of a machine that has time for it is far shorter. In a longer one a key whose demand
   * rises to its limit at once may have used what each instance could open before it was answered.
   */
  private static final long OPENED_NANOS = 300_000_000L;

  /** Up to here what an instance may open lasts until it is answered, also at the limit. */
  private static final long PROMPT_NANOS = 200_000_000L;

  /** Rounds to 0.0 %. */
  private static final double PROMPT_PCT = 0.05;

  private static final double LATE_PCT = 0.25;

  /** Longest time that any instance may have been without an answer. */
  public long longestNanos() {
    return longestLoopNanos + longestStallNanos;
  }

  /** Whether the enforcer may have counted as away by the machine's fault alone. */
  public boolean isTooSlow() {
    return longestNanos() > ANSWERED_NANOS * speed;
  }

  /**
   * Whether a key close to its limit may have waited too long for permits, by the machine's fault.
   */
  public boolean isTooSlowForOpenings() {
    return longestNanos() > OPENED_NANOS * speed;
  }

  /**
   * Tolerance for innocents turned away, in percent of their requests: practically none where
   * answers are prompt; where they are later, some of a key that rises to its limit at once.
   */
  public double innocentsTurnedAwayPct() {
    return longestNanos() > PROMPT_NANOS * speed ? LATE_PCT : PROMPT_PCT;
  }

  /** The figures for a reader, in the machine's time. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "an answer took up to %.0f ms, a thread came up to %.0f ms late",
        longestLoopNanos / 1e6 / speed,
        longestStallNanos / 1e6 / speed);
  }
}
