package io.quotaenforcer.bench.moving.real;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quotaenforcer.bench.figures.Times;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * How quick the machine was while a row was measured.
 *
 * @param loopMs from report to answer, median
 * @param lateMsP99 how much later than due the instances came to their requests
 */
record Pace(double loopMs, double loopMsP99, double lateMsP99) {
  /** Above it a row says little: the load was not the one that is named. */
  private static final double LATE_MILLIS = 50;

  static Pace of(Histogram loopNanos, Histogram lateNanos) {
    return new Pace(
        Times.millis(loopNanos, 50), Times.millis(loopNanos, 99), Times.millis(lateNanos, 99));
  }

  /** Whether the machine could not ask in time. */
  @JsonProperty("late")
  boolean isLate() {
    return lateMsP99 > LATE_MILLIS;
  }

  static String head() {
    return "%10s %6s %9s".formatted("loop p50", "p99", "late p99");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%7.1f ms %6.1f %6.1f ms%s",
        loopMs,
        loopMsP99,
        lateMsP99,
        isLate() ? " (late)" : "");
  }
}
