package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import java.util.SplittableRandom;

/** Limits of every kind, those that are carried by rate shares among them. */
final class DrawnLimits {
  private static final long WARM_UP = 2_000 * MILLI;

  private DrawnLimits() {}

  static Limit any(SplittableRandom random, long permits, long period) {
    return switch (random.nextInt(9)) {
      case 0 -> new FixedWindow(permits, period);
      case 1 -> new SlidingLog(permits, period, false);
      case 2 -> new IntervalBucket(permits, period, permits / 2, permits / 2);
      case 3 -> new IntervalBucket(permits, period, 2 * permits, 0);
      case 4 -> new WarmUpBucket(permits, period, permits, permits, WARM_UP);
      case 5 -> new TokenBucket(permits, period, permits);
      // So little that most of the rate is had by shares of it.
      case 6 -> new TokenBucket(permits, period, permits / 10);
      case 7 -> LeakyBucket.of(permits, period, permits / 4);
      default -> withBorders(random, permits, period);
    };
  }

  /** A limit that is divided into shares where demand is steady. */
  static Limit divisible(SplittableRandom random, long permits, long period) {
    return switch (random.nextInt(12)) {
      case 0 -> new TokenBucket(permits, period, permits / 10);
      case 1 -> new TokenBucket(permits, period, permits);
      case 2 -> new SlidingLog(permits, period, false);
      case 3 -> new IntervalBucket(permits, period, permits, permits);
      case 4 -> new SlidingWindow(permits, period);
      case 5 -> new SlidingSubWindows(permits, period, 5);
      default -> new FixedWindow(permits, period);
    };
  }

  /** A limit whose permits carry no window although the window in which use is booked matters. */
  static Limit withBorders(SplittableRandom random, long permits, long period) {
    return switch (random.nextInt(4)) {
      case 0 -> new SlidingWindow(permits, period);
      case 1 -> new SlidingSubWindows(permits, period, 2);
      case 2 -> new SlidingSubWindows(permits, period, 5);
      default -> new SlidingSubWindows(permits, period, 10);
    };
  }
}
