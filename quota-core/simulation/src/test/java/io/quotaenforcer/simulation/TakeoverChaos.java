package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Conditions;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A run that is made of what takeovers are about: short leases that an instance still spends,
 * little by little, while it is not heard of; an enforcer that crashes or is replaced meanwhile, by
 * one with another clock; and others who want all that is left. Some rules begin a new generation.
 */
final class TakeoverChaos {
  private static final long SECOND = 1_000 * MILLI;
  private static final long END = 9 * SECOND;
  private static final int QUIET = 2;
  private static final int GREEDY = 2;

  private final SplittableRandom random;
  private final Limit limit;
  private final Limit newer;
  private final LoopSimulation simulation;
  private final String story;

  TakeoverChaos(long seed) {
    random = new SplittableRandom(seed);
    limit = limit();
    newer = limit();
    long lease = oneOf(200L, 300L, 500L) * MILLI;
    long delay = oneOf(5L, 10L, 40L) * MILLI;
    long commit = oneOf(0L, 20L, 100L) * MILLI;
    Conditions conditions =
        new Conditions(new Network(delay, 0, 0), settings(lease), commit, 5 * SECOND);
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
            .withEnforcement(Enforcement.STRICT)
            .withVersion(1, 1);
    simulation = new LoopSimulation(rule, QUIET + GREEDY, conditions, seed);
    load();
    for (long at = SECOND; at < END; at += 3 * lease + random.nextLong(SECOND)) {
      trouble(at, lease);
    }
    boolean changes = random.nextInt(2) == 0;
    if (changes) {
      simulation.change(
          rule.withLimit(newer).withVersion(2, 2), 3 * SECOND + random.nextLong(SECOND), 3 * lease);
    }
    story =
        "%s, leases of %d ms, delays of %d ms, commits of %d ms%s"
            .formatted(
                limit,
                lease / MILLI,
                delay / MILLI,
                commit / MILLI,
                changes ? ", becomes " + newer : "");
  }

  /** What was promised and not kept; empty when nothing. */
  String violation() {
    simulation.run(END + SECOND);
    return SeedRun.violation(
        simulation, (generation, nanos) -> generation == 1 ? limit : newer, false);
  }

  private void load() {
    for (int i = 0; i < QUIET; i++) {
      simulation.load(i, "42", oneOf(5, 25), END);
    }
    for (int i = QUIET; i < QUIET + GREEDY; i++) {
      simulation.load(i, "42", 2.0 * limit.permits() * SECOND / limit.periodNanos(), END);
    }
  }

  /** A quiet instance is not heard of, or hears nothing, while another enforcer takes over. */
  private void trouble(long at, long lease) {
    int quiet = random.nextInt(QUIET);
    int way = random.nextInt(3);
    long from = at + random.nextLong(lease);
    simulation.cut(quiet, way != 1, way != 0, from, lease + random.nextLong(2 * lease));
    long then = at + random.nextLong(lease);
    long down = random.nextLong(lease / 2);
    long clockError = (random.nextInt(3) - 1) * 100 * MILLI;
    switch (random.nextInt(5)) {
      case 0 -> {}
      case 1, 2 -> simulation.handOver(then, random.nextLong(20 * MILLI), down, clockError);
      default ->
          simulation.crashEnforcer(
              then, down, random.nextInt(2) * (down + random.nextLong(2 * lease)), clockError);
    }
  }

  private Limit limit() {
    long permits = oneOf(40L, 120L);
    long period = oneOf(500L, 1_000L) * MILLI;
    return switch (random.nextInt(5)) {
      case 0 -> new SlidingLog(permits, period, false);
      case 1 -> new SlidingWindow(permits, period);
      case 2 -> new SlidingSubWindows(permits, period, 5);
      case 3 -> new IntervalBucket(permits, period, permits, permits);
      default -> new TokenBucket(permits, period, permits);
    };
  }

  private static BookSettings settings(long lease) {
    BookSettings usual = BookSettings.defaults();
    return new BookSettings(
        usual.reportIntervalNanos(),
        usual.urgentIntervalNanos(),
        lease,
        usual.awayAfterNanos(),
        usual.idleAfterNanos(),
        usual.evictAfterNanos(),
        usual.closeGraceNanos(),
        usual.windowSlackNanos(),
        usual.maxKeys(),
        usual.spareFrom(),
        usual.spreading());
  }

  private long oneOf(long... choices) {
    return choices[random.nextInt(choices.length)];
  }

  @Override
  public String toString() {
    return story;
  }
}
