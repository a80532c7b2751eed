package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A run that is made of what shares are about: instances with a steady demand, whose shares take up
 * most of the limit; others that come and go, so that shares are cut and grow again; and holders
 * that crash, or do not report, or hear nothing, while enforcers take over or nobody answers. In a
 * third of the runs the clocks of enforcers agree, and true time alone judges.
 */
final class ShareChaos {
  private static final long SECOND = 1_000 * MILLI;
  private static final long BEGINS = 3 * SECOND;
  private static final long END = 14 * SECOND;
  private static final int STEADY = 2;
  private static final int COMING = 2;
  private static final int INSTANCES = STEADY + COMING;

  /** How long in each period permits are asked for, at least. */
  private static final long LEAST_DEMAND = 600 * MILLI;

  private final SplittableRandom random;
  private final boolean agree;
  private final Limit limit;
  private final long term;
  private final LoopSimulation simulation;
  private final String story;

  ShareChaos(long seed) {
    agree = Math.floorMod(seed, 3) == 0;
    random = new SplittableRandom(seed);
    limit = limit();
    long lease = oneOf(300, 500) * MILLI;
    term = oneOf(1_000, 2_000, 3_000, 5_000) * MILLI;
    long delay = oneOf(5, 10, 20) * MILLI;
    long commit = oneOf(0, 20, 100) * MILLI;
    Conditions conditions =
        new Conditions(new Network(delay, 0, 0), settings(lease), commit, 5 * SECOND, agree)
            .withShareTerm(term);
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
            .withEnforcement(Enforcement.STRICT)
            .withVersion(1, 1);
    simulation = new LoopSimulation(rule, INSTANCES, conditions, seed);
    load();
    for (long at = BEGINS; at < END; at += random.nextLong(SECOND)) {
      trouble(at);
    }
    story =
        "seed %d: %s, shares for %d ms, leases of %d ms, delays of %d ms, commits of %d ms%s"
            .formatted(
                seed,
                limit,
                term / MILLI,
                lease / MILLI,
                delay / MILLI,
                commit / MILLI,
                agree ? ", clocks of enforcers agree" : "");
  }

  /** The broken promise; empty if all were kept. */
  String violation() {
    simulation.run(END + SECOND);
    return SeedRun.violation(simulation, (generation, nanos) -> limit, agree);
  }

  /** The fate of shares in the run. */
  ShareCounts shares() {
    return simulation.shares();
  }

  /** Two thirds of the limit steadily, and all of it from others, for a while each. */
  private void load() {
    double all = (double) limit.permits() * SECOND / limit.periodNanos();
    for (int i = 0; i < STEADY; i++) {
      simulation.load(i, "42", oneOf(40, 60) / 100.0 * all, END);
    }
    for (int i = STEADY; i < INSTANCES; i++) {
      long on = LEAST_DEMAND + random.nextLong(2 * SECOND);
      simulation.bursts(i, "42", all, on, on + random.nextLong(2 * SECOND), END);
    }
  }

  private void trouble(long at) {
    int instance = random.nextInt(INSTANCES);
    long terms = term / 4 + random.nextLong(term);
    switch (random.nextInt(8)) {
      case 0, 1 -> simulation.cut(instance, true, false, at, terms);
      case 2, 3 -> simulation.cut(instance, false, true, at, terms);
      case 4 -> simulation.restart(instance, at);
      case 5 -> simulation.handOver(at, random.nextLong(20 * MILLI), down(), clockError());
      case 6 -> {
        long down = down();
        simulation.crashEnforcer(
            at, down, random.nextInt(2) * (down + random.nextLong(term)), clockError());
      }
      default -> {
        simulation.cut(instance, true, true, at, terms);
        simulation.crashEnforcer(at + random.nextLong(terms), down(), 0, clockError());
      }
    }
  }

  private long down() {
    return random.nextInt(4) == 0 ? random.nextLong(term) : random.nextLong(20 * MILLI);
  }

  private long clockError() {
    return (random.nextInt(3) - 1) * 100 * MILLI;
  }

  private Limit limit() {
    return DrawnLimits.divisible(random, oneOf(60, 120), SECOND);
  }

  private static BookSettings settings(long lease) {
    BookSettings usual = BookSettings.defaults();
    return usual.with(usual.holding().withTtl(lease));
  }

  private long oneOf(long... choices) {
    return choices[random.nextInt(choices.length)];
  }

  @Override
  public String toString() {
    return story;
  }
}
