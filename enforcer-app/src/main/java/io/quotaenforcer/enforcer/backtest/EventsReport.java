package io.quotaenforcer.enforcer.backtest;

import java.time.Duration;
import java.time.Instant;

/** What rules would have done to request events, beside what happened to these. */
public record EventsReport(BacktestReport report, Happened happened, Seen seen) {
  /** Why a back-test ended before the end of its span. */
  public enum Stop {
    /** It did not. */
    NONE,
    /** It had read as many events as it may. */
    EVENTS,
    /** It had taken as long as it may. */
    TIME,
    /** Nobody waited for it any more. */
    LEFT
  }

  /**
   * How much of its span a back-test has seen.
   *
   * @param share up to the last event that was read, from 0 to 1
   */
  public record Seen(Instant from, Instant until, double share, Stop stop, Duration took) {}
}
