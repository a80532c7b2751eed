package io.quotaenforcer.core.algorithm;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.Windows.Calendar;
import io.quotaenforcer.core.algorithm.Windows.CalendarUnit;
import java.time.ZoneId;
import java.util.List;
import java.util.SplittableRandom;

/** Limits of every algorithm, for what all of them have in common. */
final class AnyLimit {
  private static final long SECOND = LimitKit.SECOND;

  private AnyLimit() {}

  /** One of each algorithm: ten permits a second, or a minute of the calendar. */
  static List<Limit> oneOfEach() {
    return List.of(
        new FixedWindow(10, SECOND),
        new FixedWindow(10, new Calendar(CalendarUnit.MINUTE, ZoneId.of("Europe/Berlin"))),
        new SlidingWindow(10, SECOND),
        new SlidingSubWindows(10, SECOND, 5),
        new SlidingLog(10, SECOND, false),
        new SlidingLog(10, SECOND, true),
        new TokenBucket(10, SECOND, 20, 5),
        new IntervalBucket(10, SECOND, 20, 5),
        new WarmUpBucket(10, SECOND, 20, 5, 10 * SECOND),
        LeakyBucket.of(10, SECOND, 19));
  }

  /** Small numbers, so that limits are met and windows turn. */
  static Limit of(SplittableRandom random) {
    long permits = 1 + random.nextInt(30);
    long period = SECOND * (1 + random.nextInt(60));
    long burst = 1 + random.nextInt(30);
    return switch (random.nextInt(8)) {
      case 0 -> new FixedWindow(permits, period);
      case 1 -> new SlidingWindow(permits, period);
      case 2 -> new SlidingSubWindows(permits, period, Seeded.oneOf(random, 2, 5, 10));
      case 3 -> new SlidingLog(permits, period, random.nextBoolean());
      case 4 -> new TokenBucket(permits, period, burst, random.nextLong(burst + 1));
      case 5 -> new IntervalBucket(permits, period, burst, random.nextLong(burst + 1));
      case 6 -> new WarmUpBucket(permits, period, burst, random.nextLong(burst + 1), 5 * period);
      default -> LeakyBucket.of(permits, period, burst - 1);
    };
  }
}
