package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import io.quotaenforcer.simulation.LoopSimulation.Passing;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A run that is made of what a takeover may cost slots. One instance is cut off while the enforcer
 * crashes or hands over, for longer than its lease and the longest hold, and what it holds runs for
 * as long as it may. The successor's clock may be ahead. All that comes free is wanted at once by
 * the others. In the end nothing fails, and a request that wants every slot must get them.
 */
final class SlotTakeoverRun implements DrawnRun {
  private static final long SECOND = 1_000 * MILLI;
  private static final String USER = "42";
  private static final int INSTANCES = 3;

  /** Instances that are heard of throughout. */
  private static final int FIRST_HEARD = 1;

  /** Most by which the clocks of enforcers differ, but for a margin. */
  private static final long MOST_SKEW_MILLIS = 190;

  private final SplittableRandom random;
  private final ConcurrencyLimit limit;
  private final long most;
  private final LoopSimulation simulation;
  private final long at;
  private final long down;

  /** Slots are asked for just before the takeover, where else all are in use for long. */
  private final boolean isRush;

  private final long end;
  private final String story;

  SlotTakeoverRun(long seed) {
    random = new SplittableRandom(seed);
    limit = new ConcurrencyLimit(random.nextLong(6, 25), random.nextLong(SECOND, 2 * SECOND));
    most = limit.maxHoldNanos();
    isRush = random.nextBoolean();
    long commit = isRush ? 100 * MILLI : random.nextBoolean() ? 20 * MILLI : 0;
    Rule rule = Rule.of(new RuleId("test", "rule"), List.of("user"), limit).withVersion(1, 1);
    simulation =
        new LoopSimulation(
            rule,
            INSTANCES,
            new Conditions(new Network(5 * MILLI, 0, 0), BookSettings.defaults(), commit, 0),
            seed);
    at = 2 * SECOND + random.nextLong(SECOND);
    down = (20 + random.nextLong(500)) * MILLI;
    long ahead = (random.nextLong(2 * MOST_SKEW_MILLIS) - MOST_SKEW_MILLIS / 2) * MILLI;
    long successorAhead = Math.min(ahead, MOST_SKEW_MILLIS * MILLI);
    boolean crashes = isRush || random.nextBoolean();
    long zombie = random.nextBoolean() ? 0 : down + random.nextLong(SECOND);
    if (crashes) {
      simulation.crashEnforcer(at, down, zombie, successorAhead);
    } else {
      simulation.handOver(at, 20 * MILLI, down, successorAhead);
    }
    long cutAt = at + (isRush ? random.nextLong(-20, 80) : random.nextLong(-105, -5)) * MILLI;
    long cutFor = 3 * SECOND + most + random.nextLong(SECOND);
    boolean hears = random.nextBoolean();
    simulation.cut(0, true, !hears, cutAt, cutFor);
    end = cutAt + cutFor + SECOND;
    story =
        "%s, %s, commits of %d ms, %s at %d ms, down %d ms, zombie %d ms, clock %d ms ahead,"
                .formatted(
                    limit,
                    isRush ? "rush" : "full",
                    commit / MILLI,
                    crashes ? "crash" : "hand over",
                    at / MILLI,
                    down / MILLI,
                    crashes ? zombie / MILLI : 0,
                    successorAhead / MILLI)
            + " cut off at %d ms for %d ms%s"
                .formatted(cutAt / MILLI, cutFor / MILLI, hears ? ", hears" : "");
  }

  @Override
  public Verdict judge() {
    if (isRush) {
      rush();
    } else {
      fill();
    }
    simulation.run(end);
    if (simulation.slots().most() > limit.permits()) {
      return over();
    }
    long allFree = end + 2 * most + 3 * SECOND;
    simulation.passageOfCost(FIRST_HEARD, USER, limit.permits(), most, allFree);
    simulation.run(allFree + 2 * SECOND / 3);
    if (simulation.slots().most() > limit.permits()) {
      return over();
    }
    long held = simulation.slots().held();
    return held < limit.permits()
        ? Verdict.notServed("%d slots held of %d that are free".formatted(held, limit.permits()))
        : Verdict.KEPT;
  }

  @Override
  public LoopSimulation simulation() {
    return simulation;
  }

  /** All slots are in use, for about as long as they may. */
  private void fill() {
    // Most run for as long as they may: twice that is their mean.
    double all = 2.0 * limit.permits() * SECOND / most;
    simulation.passages(0, USER, new Passing(all / 2, most / 2, most, 1, SECOND), end);
    for (int i = FIRST_HEARD; i < INSTANCES; i++) {
      simulation.passages(i, USER, new Passing(all, 2 * most, most, 1, SECOND), end);
    }
  }

  /**
   * Few slots are in use, and many are set aside, when one instance wants all, between the last
   * commit and the takeover; the others do so at the takeover.
   */
  private void rush() {
    long mean = most / 10;
    double few = limit.permits() / 8.0 * SECOND / mean;
    for (int i = 0; i < INSTANCES; i++) {
      simulation.passages(i, USER, new Passing(few, mean, most, 1, 0), end);
    }
    long first = at - random.nextLong(120) * MILLI;
    for (int i = 0; i < INSTANCES; i++) {
      long from = i < FIRST_HEARD ? first : at + down + random.nextLong(-20, 20) * MILLI;
      for (long j = 0; j < limit.permits(); j++) {
        simulation.passage(i, USER, most, most, from);
      }
    }
  }

  private Verdict over() {
    return Verdict.broken(
        "%d slots held of %d".formatted(simulation.slots().most(), limit.permits()));
  }

  @Override
  public String toString() {
    return story;
  }
}
