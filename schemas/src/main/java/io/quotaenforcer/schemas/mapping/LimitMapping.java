package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.schemas.Algorithm;
import io.quotaenforcer.schemas.LimitSpec;

/** Limits, to and from the wire. */
final class LimitMapping {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private LimitMapping() {}

  static LimitSpec toRecord(Limit limit) {
    if (limit.periodNanos() % NANOS_PER_MILLI != 0) {
      throw new IllegalArgumentException(
          "must be whole milliseconds: periodNanos=" + limit.periodNanos());
    }
    long periodMillis = limit.periodNanos() / NANOS_PER_MILLI;
    if (limit instanceof TokenBucket bucket) {
      return new LimitSpec(
          Algorithm.TOKEN_BUCKET, bucket.permits(), periodMillis, bucket.capacity());
    }
    Algorithm algorithm =
        limit instanceof FixedWindow ? Algorithm.FIXED_WINDOW : Algorithm.SLIDING_WINDOW;
    return new LimitSpec(algorithm, limit.permits(), periodMillis, 0L);
  }

  /**
   * Reads a limit.
   *
   * @param field where the record stands in its rule
   */
  static Limit fromRecord(LimitSpec spec, String field) {
    Algorithm algorithm = Fields.required(spec.getAlgorithm(), field + ".algorithm");
    long periodMillis = spec.getPeriodMillis();
    Fields.check(
        periodMillis >= 0 && periodMillis <= Limit.MAX_PERIOD_NANOS / NANOS_PER_MILLI,
        "must be between 100 ms and 400 days",
        field + ".periodMillis",
        periodMillis);
    Fields.check(
        algorithm == Algorithm.TOKEN_BUCKET || spec.getBurst() == 0,
        "must be 0 for " + algorithm,
        field + ".burst",
        spec.getBurst());
    long periodNanos = periodMillis * NANOS_PER_MILLI;
    return Fields.read(
        field,
        () ->
            switch (algorithm) {
              case FIXED_WINDOW -> new FixedWindow(spec.getPermits(), periodNanos);
              case SLIDING_WINDOW -> new SlidingWindow(spec.getPermits(), periodNanos);
              case TOKEN_BUCKET -> new TokenBucket(spec.getPermits(), periodNanos, spec.getBurst());
            });
  }
}
