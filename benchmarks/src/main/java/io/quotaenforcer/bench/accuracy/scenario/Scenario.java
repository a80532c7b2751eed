package io.quotaenforcer.bench.accuracy.scenario;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.List;

/**
 * A limit, a fleet and its load.
 *
 * @param underTargets most under-use in percent at the first and the second loop setting; NaN where
 *     it is only to be said
 */
public record Scenario(
    String name, Limit limit, int instances, Demand demand, List<Double> underTargets) {
  private static final long SECOND = 1_000_000_000L;

  public static final List<LoopSetting> LOOPS =
      List.of(new LoopSetting(20, 20, 10), new LoopSetting(50, 50, 40));

  /** The load is {@code times} what the limit allows. */
  private static Scenario even(
      String name, Limit limit, int instances, double times, double fast, double slow) {
    Demand demand = Demand.even(times * perSecond(limit), instances);
    return new Scenario(name, limit, instances, demand, List.of(fast, slow));
  }

  /** Those that are simulated. */
  public static List<Scenario> all() {
    Limit fixed = new FixedWindow(1_000, SECOND);
    Limit minute = new FixedWindow(6_000, 60 * SECOND);
    Limit bucket = new TokenBucket(1_000, SECOND, 1_000);
    Limit small = new TokenBucket(1_000, SECOND, 20);
    Limit sliding = new SlidingWindow(1_000, SECOND);
    Limit tens = new FixedWindow(10_000, 10 * SECOND);
    Limit slidingFew = new SlidingWindow(300, SECOND);
    Limit logFew = new SlidingLog(300, SECOND, false);
    Limit atIntervals = new IntervalBucket(300, SECOND, 300, 300);
    double said = Double.NaN;
    return List.of(
        even("fixed x 0.5", fixed, 8, 0.5, 0.1, 0.1),
        even("fixed x 0.95", fixed, 8, 0.95, 0.6, 2),
        even("fixed x 1.05", fixed, 8, 1.05, 0.6, 2),
        even("fixed x 2", fixed, 8, 2, 0.1, 0.1),
        even("fixed x 10", fixed, 8, 10, 0.1, 0.1),
        even("fixed x 10, 32 instances", fixed, 32, 10, 0.1, 0.1),
        even("fixed 100 x 2, 32 instances", new FixedWindow(100, SECOND), 32, 2, 5.5, 4.6),
        of("fixed x 2, 90 % on one instance", fixed, 8, Demand.oneHot(2_000, 8), 0.1, 0.1),
        of("fixed x 2, hot instance moves", fixed, 8, Demand.movingHot(2_000, 8), 0.1, 0.5),
        of("fixed, burst x 10 every other 3 s", fixed, 8, Demand.bursts(1_000, 8), 0.1, 0.1),
        even("fixed 10 x 5", new FixedWindow(10, SECOND), 8, 5, 1.6, 1.8),
        even("fixed 6000 per 60 s x 3", minute, 8, 3, 0.05, 0.05),
        of("fixed 10000 per 10 s x 3, 100 instances, Zipf", tens, 100, zipf(), 0.1, 0.1),
        even("bucket 1000 x 0.95", bucket, 8, 0.95, 0.5, 1),
        even("bucket 1000 x 2", bucket, 8, 2, 0.5, 1),
        of("bucket 1000, burst x 10 every other 3 s", bucket, 8, Demand.bursts(1_000, 8), 2, 4),
        of("bucket 1000 x 2, 90 % on one instance", bucket, 8, Demand.oneHot(2_000, 8), 2, 4),
        of("bucket 1000 x 2, hot instance moves", bucket, 8, Demand.movingHot(2_000, 8), 2, 4),
        even("bucket 20 x 2", small, 8, 2, 3, 3),
        even("bucket 20 x 0.95", small, 8, 0.95, said, said),
        even("bucket 20 x 2, 32 instances", small, 32, 2, said, said),
        even("sliding x 2", sliding, 8, 2, 1.2, 2),
        even("sliding x 10", sliding, 8, 10, 1.2, 2),
        even("sliding 6000 per 60 s x 3", new SlidingWindow(6_000, 60 * SECOND), 8, 3, 0.2, 0.3),
        of("sliding x 0.9, hot instance moves", sliding, 8, Demand.movingHot(900, 8), said, said),
        even("fixed 300 x 1.07, 2 instances", new FixedWindow(300, SECOND), 2, 1.07, said, said),
        even("sliding 300 x 1.07, 2 instances", slidingFew, 2, 1.07, said, said),
        even("log 300 x 1.07, 2 instances", logFew, 2, 1.07, said, said),
        even("intervals 300 x 1.07, 2 instances", atIntervals, 2, 1.07, said, said));
  }

  /**
   * The one of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Scenario named(String name) {
    return all().stream()
        .filter(scenario -> scenario.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("must be a scenario: name=" + name));
  }

  @Override
  @JsonValue
  public String toString() {
    return name;
  }

  public double underTarget(LoopSetting loop) {
    return underTargets.get(LOOPS.indexOf(loop));
  }

  private static Demand zipf() {
    return Demand.zipf(3_000, 100);
  }

  private static Scenario of(
      String name, Limit limit, int instances, Demand demand, double fast, double slow) {
    return new Scenario(name, limit, instances, demand, List.of(fast, slow));
  }

  private static double perSecond(Limit limit) {
    return limit.permits() * (double) SECOND / limit.periodNanos();
  }
}
