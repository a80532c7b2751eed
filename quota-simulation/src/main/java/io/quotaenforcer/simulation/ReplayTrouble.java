package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.OverLimit;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A queue of replays and its troubles. Drawn separately from everything else, so that a seed
 * without a queue runs as if no seed had one.
 */
final class ReplayTrouble {
  private static final long SALT = 0x5eed_0f_4e91a75L;
  private static final long SECOND = 1_000 * MILLI;

  /** One seed in this many has a queue. */
  private static final int ONE_IN = 4;

  private final SplittableRandom random;
  private final boolean crashes;
  private final int shareBasisPoints;
  private final double load;

  private ReplayTrouble(SplittableRandom random, boolean crashes) {
    this.random = random;
    this.crashes = crashes;
    this.shareBasisPoints = new int[] {500, 2_000, 5_000, 10_000}[random.nextInt(4)];
    this.load = new double[] {0.2, 0.6, 2}[random.nextInt(3)];
  }

  /**
   * Null for most seeds.
   *
   * @param crashes whether it may lose unreported use
   */
  static @Nullable ReplayTrouble drawn(long seed, boolean crashes) {
    SplittableRandom random = new SplittableRandom(seed ^ SALT);
    return random.nextInt(ONE_IN) == 0 ? new ReplayTrouble(random, crashes) : null;
  }

  OverLimit overLimit() {
    OverLimit.Defer usual = OverLimit.Defer.DEFAULTS;
    return new OverLimit.Defer(
        shareBasisPoints,
        usual.release(),
        usual.queueLength(),
        usual.queueBytes(),
        usual.unacknowledged(),
        usual.onDelete());
  }

  /** A backlog that grows in steps and drains, of a queue that pauses, is cut off and crashes. */
  void befall(LoopSimulation simulation, Limit limit, long troubleEnds) {
    int queue = simulation.queue("42");
    double perSecond = load * limit.permits() * SECOND / limit.periodNanos();
    for (long at = random.nextLong(SECOND); at < troubleEnds; ) {
      long step = 1 + random.nextLong(SECOND);
      simulation.defer(queue, (long) (perSecond * step / SECOND) + 1, at);
      at += step;
    }
    for (int i = crashes ? random.nextInt(4) : 0; i > 0; i--) {
      simulation.restart(queue, moment());
    }
    if (random.nextInt(3) == 0) {
      simulation.pause(queue, "42", moment(), random.nextLong(4 * SECOND));
    }
    if (random.nextInt(3) == 0) {
      int way = random.nextInt(3);
      simulation.cut(queue, way != 1, way != 0, moment(), random.nextLong(4 * SECOND));
    }
  }

  private long moment() {
    return SECOND + random.nextLong(3 * SECOND);
  }

  @Override
  public String toString() {
    return ", a queue of replays: share %.2f x %.1f".formatted(shareBasisPoints / 10_000.0, load);
  }
}
