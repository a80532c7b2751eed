package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import io.quotaenforcer.simulation.LoopSimulation.Passing;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Requests that hold slots, at several instances, drawn from a seed with the faults that befall
 * them: instances crash, pause and are cut off, enforcers crash, go on as zombies and hand over,
 * messages are lost, repeated and reordered, the limit changes. A calm end follows.
 */
final class SlotRun implements DrawnRun {
  private static final long SECOND = 1_000 * MILLI;
  private static final long TROUBLE = 8 * SECOND;
  private static final long MEASURED = 5 * SECOND;
  private static final String USER = "42";
  private static final long MOST_COST = 2;
  private static final DrawnTrouble.Kind[] KINDS = DrawnTrouble.Kind.values();

  private final SplittableRandom random;
  private final int instances;
  private final ConcurrencyLimit limit;
  private final Rule rule;
  private final Network network;
  private final boolean waits;
  private final double load;
  private final LoopSimulation simulation;

  /** When an instance crashed for good, or was started again, for the last time. */
  private final Map<Integer, Long> lastChange = new HashMap<>();

  private final Set<Integer> gone = new HashSet<>();
  private final StringBuilder story = new StringBuilder();

  SlotRun(long seed) {
    random = new SplittableRandom(seed);
    instances = random.nextInt(2, 7);
    long slots = random.nextLong(instances, 41);
    long maxHold = random.nextLong(SECOND, 4 * SECOND);
    limit = new ConcurrencyLimit(slots, maxHold);
    network =
        switch (random.nextInt(3)) {
          case 0 -> new Network(10 * MILLI, 0, 0);
          case 1 -> new Network(10 * MILLI, 0.02, 0.02);
          default -> new Network(40 * MILLI, 0.1, 0.1);
        };
    waits = random.nextBoolean();
    load = random.nextDouble(0.5, 3);
    rule = Rule.of(new RuleId("test", "rule"), List.of("user"), limit).withVersion(1, 1);
    long commit = random.nextBoolean() ? 20 * MILLI : 0;
    simulation =
        new LoopSimulation(
            rule,
            instances,
            new Conditions(network, BookSettings.defaults(), commit, 300 * MILLI),
            seed);
  }

  @Override
  public Verdict judge() {
    long end = TROUBLE + 3 * SECOND + limit.maxHoldNanos() + 2 * SECOND + MEASURED;
    long mean = Math.max(40 * MILLI, limit.maxHoldNanos() / random.nextLong(2, 60));
    double perSecond = load * limit.permits() * SECOND / mean / instances;
    for (int i = 0; i < instances; i++) {
      int cost = random.nextInt(4) == 0 ? (int) Math.min(MOST_COST, limit.permits()) : 1;
      simulation.passages(
          i,
          USER,
          new Passing(perSecond, mean, limit.maxHoldNanos(), cost, waits ? SECOND : 0),
          end);
    }
    trouble();
    ConcurrencyLimit last = changed();
    simulation.run(end - MEASURED);
    long most = Math.max(limit.permits(), last.permits());
    if (simulation.slots().most() > most) {
      return over(most);
    }
    simulation.slots().restart(simulation.now());
    simulation.run(end);
    double used = simulation.slots().takeMean(MEASURED, simulation.now());
    story.append(", %.2f used".formatted(used));
    if (simulation.slots().most() > last.permits()) {
      return over(last.permits());
    }
    double wanted = load * limit.permits() * (instances - gone.size()) / instances;
    double asked = Math.min(wanted, last.permits());
    // A few long requests come, or do not, by chance.
    double chance = 1 / Math.sqrt(asked * MEASURED / mean);
    return used < (leastUsed() - chance) * asked
        ? Verdict.notServed("%.2f slots used of %.2f".formatted(used, asked))
        : Verdict.KEPT;
  }

  @Override
  public LoopSimulation simulation() {
    return simulation;
  }

  private Verdict over(long most) {
    return Verdict.broken("%d slots held of %d".formatted(simulation.slots().most(), most));
  }

  /** The limit in the end: in every third run it changes during the trouble. */
  private ConcurrencyLimit changed() {
    if (random.nextInt(3) > 0) {
      return limit;
    }
    long slots = Math.max(MOST_COST, limit.permits() * random.nextLong(1, 5) / 2);
    ConcurrencyLimit other = new ConcurrencyLimit(slots, limit.maxHoldNanos());
    long at = SECOND + random.nextLong(TROUBLE - SECOND);
    simulation.change(rule.withLimit(other).withVersion(2, 1), at, 300 * MILLI);
    story.append(", %s at %d ms".formatted(other, at / MILLI));
    return other;
  }

  /** Who waits finds what comes free; who does not is refused by chance. */
  private double leastUsed() {
    double least = waits ? 0.6 : 0.35;
    return network.loss() > 0.05 ? least / 2 : least;
  }

  private void trouble() {
    DrawnTrouble trouble = new DrawnTrouble(simulation, random, story);
    for (int i = random.nextInt(4); i > 0; i--) {
      long at = SECOND + random.nextLong(TROUBLE - SECOND);
      int instance = random.nextInt(instances);
      long down = 50 * MILLI + random.nextLong(2 * SECOND);
      DrawnTrouble.Kind kind = KINDS[random.nextInt(KINDS.length)];
      trouble.happens(kind, instance, USER, at, down);
      boolean begins = kind == DrawnTrouble.Kind.RESTART;
      if (begins || kind == DrawnTrouble.Kind.CRASH) {
        beginsOrEnds(instance, at, begins);
      }
    }
  }

  private void beginsOrEnds(int instance, long at, boolean begins) {
    if (lastChange.merge(instance, at, Math::max) > at) {
      return;
    }
    if (begins) {
      gone.remove(instance);
    } else {
      gone.add(instance);
    }
  }

  @Override
  public String toString() {
    return "%s, %d instances, %s x %.2f %s%s"
        .formatted(limit, instances, network, load, waits ? "waiting" : "refused", story);
  }
}
