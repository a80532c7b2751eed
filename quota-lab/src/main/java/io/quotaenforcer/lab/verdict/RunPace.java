package io.quotaenforcer.lab.verdict;

import java.util.Locale;

/**
 * How quickly a machine ran what is judged, in nanoseconds of the clock of the decisions.
 *
 * @param longestLoopNanos the longest time from report to answer; 0 where none was measured
 * @param longestStallNanos the longest time that a thread which asks came too late: threads that
 *     report are on the same processors, and what they report late is answered late
 * @param speed how many times as fast as the machine's the clock ran
 */
public record RunPace(long longestLoopNanos, long longestStallNanos, long speed) {
  /**
   * Half of what makes an instance take the enforcer for away. Beyond, rules decide without it, and
   * leases end before they are renewed.
   */
  private static final long ANSWERED_NANOS = 500_000_000L;

  /** The longest that any instance may have been without an answer to what it was asked. */
  public long longestNanos() {
    return longestLoopNanos + longestStallNanos;
  }

  /** Whether the enforcer may have counted as away, though nothing but the machine was at fault. */
  public boolean isTooSlow() {
    return longestNanos() > ANSWERED_NANOS * speed;
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
