package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import java.util.SplittableRandom;

/** Faults that are drawn for instances and for the enforcer, and the story of them. */
final class DrawnTrouble {
  private static final long SECOND = 1_000 * MILLI;
  private static final long MOST_AHEAD_MILLIS = 100;

  private final LoopSimulation simulation;
  private final SplittableRandom random;
  private final StringBuilder story;

  /** A kind of fault. */
  enum Kind {
    RESTART,
    PAUSE,
    CUT,
    ENFORCER_CRASH,
    HAND_OVER,
    /** For good. */
    CRASH
  }

  /**
   * @param story is added to
   */
  DrawnTrouble(LoopSimulation simulation, SplittableRandom random, StringBuilder story) {
    this.simulation = simulation;
    this.random = random;
    this.story = story;
  }

  /**
   * Lets a fault happen.
   *
   * @param user whose requests are decided across a pause
   * @param downNanos for which the enforcer is away, an instance stands still, or, twice, is cut
   *     off
   */
  void happens(Kind kind, int instance, String user, long atNanos, long downNanos) {
    switch (kind) {
      case RESTART -> simulation.restart(instance, atNanos);
      case PAUSE -> simulation.pause(instance, user, atNanos, downNanos);
      case CUT -> {
        int way = random.nextInt(3);
        simulation.cut(instance, way != 1, way != 0, atNanos, 2 * downNanos);
        story.append(", way ").append(way);
      }
      case ENFORCER_CRASH -> {
        long zombie = random.nextBoolean() ? 0 : downNanos + random.nextLong(2 * SECOND);
        simulation.crashEnforcer(atNanos, downNanos, zombie, ahead());
        story.append(", zombie for ").append(zombie / MILLI);
      }
      case HAND_OVER -> simulation.handOver(atNanos, 20 * MILLI, downNanos, ahead());
      case CRASH -> simulation.crash(instance, atNanos);
    }
    story.append(
        ", %s of %d at %d ms for %d".formatted(kind, instance, atNanos / MILLI, downNanos / MILLI));
  }

  private long ahead() {
    return random.nextLong(-MOST_AHEAD_MILLIS, MOST_AHEAD_MILLIS + 1) * MILLI;
  }
}
