package io.quotaenforcer.lab.limits;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;

/** The algorithms; buckets hold a whole period's permits. */
public enum LimitKind {
  FIXED_WINDOW("fixed-window", FixedWindow::new),
  SLIDING_WINDOW("sliding-window", SlidingWindow::new),
  SLIDING_SUB_WINDOWS(
      "sliding-sub-windows", (permits, period) -> new SlidingSubWindows(permits, period, 10)),
  SLIDING_LOG("sliding-log", (permits, period) -> new SlidingLog(permits, period, false)),
  TOKEN_BUCKET("token-bucket", (permits, period) -> new TokenBucket(permits, period, permits)),
  INTERVAL_BUCKET(
      "token-bucket-interval",
      (permits, period) -> new IntervalBucket(permits, period, permits, permits)),
  WARM_UP_BUCKET(
      "token-bucket-warm-up",
      (permits, period) ->
          new WarmUpBucket(permits, period, permits, permits, Math.min(period, 60_000_000_000L))),
  LEAKY_BUCKET("leaky-bucket", (permits, period) -> LeakyBucket.of(permits, period, permits - 1));

  private final String label;
  private final Builder builder;

  @FunctionalInterface
  private interface Builder {
    Limit build(long permits, long periodNanos);
  }

  LimitKind(String label, Builder builder) {
    this.label = label;
    this.builder = builder;
  }

  /** As rule files have it, with how a bucket is refilled. */
  @JsonValue
  public String label() {
    return label;
  }

  public Limit limit(long permits, long periodNanos) {
    return builder.build(permits, periodNanos);
  }
}
