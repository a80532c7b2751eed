package io.quotaenforcer.bench.algorithms;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.Windows.Calendar;
import io.quotaenforcer.core.algorithm.Windows.CalendarUnit;
import java.time.ZoneId;
import java.util.List;

/**
 * A limit whose cost is measured.
 *
 * @param name as rule files have it, with what else matters
 */
record MeasuredLimit(String name, Limit limit) {
  private static final long SECOND = 1_000_000_000L;
  private static final long PERMITS = 1_000;

  /** 1,000 permits per second by each algorithm; and a small limit for a log, which counts each. */
  static List<MeasuredLimit> all() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    return List.of(
        new MeasuredLimit("fixed-window", new FixedWindow(PERMITS, SECOND)),
        new MeasuredLimit(
            "fixed-window, calendar",
            new FixedWindow(60 * PERMITS, new Calendar(CalendarUnit.MINUTE, berlin))),
        new MeasuredLimit("sliding-window", new SlidingWindow(PERMITS, SECOND)),
        new MeasuredLimit(
            "sliding-sub-windows, 10 slots", new SlidingSubWindows(PERMITS, SECOND, 10)),
        new MeasuredLimit("sliding-log, 10 permits", new SlidingLog(10, SECOND, false)),
        new MeasuredLimit("sliding-log", new SlidingLog(PERMITS, SECOND, false)),
        new MeasuredLimit("token-bucket", new TokenBucket(PERMITS, SECOND, PERMITS)),
        new MeasuredLimit(
            "token-bucket, interval", new IntervalBucket(PERMITS, SECOND, PERMITS, PERMITS)),
        new MeasuredLimit(
            "token-bucket, warm-up",
            new WarmUpBucket(PERMITS, SECOND, PERMITS, PERMITS, 10 * SECOND)),
        new MeasuredLimit("leaky-bucket", LeakyBucket.of(PERMITS, SECOND, PERMITS - 1)));
  }

  /** Between two requests at twice the limit. */
  long pauseNanos() {
    return limit.periodNanos() / limit.permits() / 2;
  }
}
