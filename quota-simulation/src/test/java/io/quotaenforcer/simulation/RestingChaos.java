package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A run that is made of what permits at rest are about: instances that are asked seldom, and keep a
 * few; one that now and then asks for all of the limit; and instances that crash or are cut off
 * while they keep some, enforcers that take over, and rules that change.
 */
final class RestingChaos {
  private static final long SECOND = 1_000 * MILLI;
  private static final long BEGINS = 2 * SECOND;
  private static final long END = 14 * SECOND;
  private static final long CHANGED = 8 * SECOND;
  private static final int SELDOM = 4;

  /** Kinds to draw from, half of which are fixed windows. */
  private static final int KINDS = 10;

  private static final long IDLE = 150 * MILLI;
  private static final long FORGOTTEN = 2_500 * MILLI;

  private final SplittableRandom random;
  private final boolean agree;
  private final Limit limit;
  private final Limit other;
  private final LoopSimulation simulation;
  private final String story;

  RestingChaos(long seed) {
    agree = Math.floorMod(seed, 3) == 0;
    random = new SplittableRandom(seed);
    long permits = oneOf(10, 20, 40);
    int kind = random.nextInt(KINDS);
    limit = limit(kind, permits, SECOND);
    other = limit(kind, permits, 2 * SECOND);
    long lease = oneOf(300, 500) * MILLI;
    long term = oneOf(1_000, 2_000) * MILLI;
    long rest = oneOf(4_000, 8_000) * MILLI;
    long delay = oneOf(5, 10, 20) * MILLI;
    long commit = oneOf(0, 20, 100) * MILLI;
    Conditions conditions =
        new Conditions(new Network(delay, 0, 0), settings(lease), commit, 5 * SECOND, agree)
            .withShareTerm(term)
            .withRestTerm(rest);
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
            .withEnforcement(Enforcement.STRICT)
            .withVersion(1, 1);
    simulation = new LoopSimulation(rule, SELDOM + 1, conditions, seed);
    load();
    for (long at = BEGINS; at < END; at += SECOND / 2 + random.nextLong(SECOND)) {
      trouble(at, rest);
    }
    boolean changes = random.nextInt(3) == 0;
    if (changes) {
      long deaf = random.nextLong(rest);
      int instance = random.nextInt(SELDOM);
      Rule next = rule.withLimit(other).withVersion(2, 2);
      simulation.cut(instance, true, true, CHANGED - SECOND / 2, SECOND / 2 + deaf);
      simulation.change(next, CHANGED, 300 * MILLI, instance, deaf);
    }
    story =
        "seed %d: %s, rests for %d ms, shares for %d ms, delays of %d ms, commits of %d ms%s%s"
            .formatted(
                seed,
                limit,
                rest / MILLI,
                term / MILLI,
                delay / MILLI,
                commit / MILLI,
                changes ? ", another generation at 8 s" : "",
                agree ? ", clocks of enforcers agree" : "");
  }

  private static Limit limit(int kind, long permits, long period) {
    return switch (kind) {
      case 0 -> new SlidingWindow(permits, period);
      case 1 -> new SlidingSubWindows(permits, period, 10);
      case 2 -> new SlidingLog(permits, period, false);
      // Where it fills slowly, a few tokens too many show.
      case 3 -> new TokenBucket(permits, permits > 10 ? 10 * period : period, permits);
      case 4 -> new IntervalBucket(permits, period, permits, permits);
      default -> new FixedWindow(permits, period);
    };
  }

  /** The broken promise; empty if all were kept. */
  String violation() {
    simulation.run(END + SECOND);
    String over =
        SeedRun.violation(
            simulation, (generation, nanos) -> generation == 1 ? limit : other, agree);
    return over.isEmpty() ? simulation.rests().violation() : over;
  }

  /** Times that something came to rest. */
  long rests() {
    return simulation.rests().begun();
  }

  /** One request now and then, or a few; and all of the limit at another instance, for a while. */
  private void load() {
    for (int i = 0; i < SELDOM; i++) {
      long at = 0;
      while (at < END) {
        simulation.burst(i, "42", (int) oneOf(1, 1, 2, 4), at);
        at += SECOND / 2 + random.nextLong(4 * SECOND);
      }
    }
    double most = 0.9 * limit.permits();
    simulation.bursts(0, "42", most, 3 * SECOND, 3 * SECOND + random.nextLong(3 * SECOND), END);
    double all = 1.5 * limit.permits();
    long off = SECOND + random.nextLong(3 * SECOND);
    simulation.bursts(SELDOM, "42", all, SECOND + random.nextLong(SECOND), off, END);
  }

  private void trouble(long at, long rest) {
    int instance = random.nextInt(SELDOM);
    long cut = SECOND / 4 + random.nextLong(rest);
    switch (random.nextInt(6)) {
      case 0 -> simulation.cut(instance, true, false, at, cut);
      case 1 -> simulation.cut(instance, false, true, at, cut);
      case 2 -> simulation.cut(instance, true, true, at, cut);
      case 3 -> simulation.restart(instance, at);
      case 4 -> simulation.handOver(at, random.nextLong(20 * MILLI), down(), clockError());
      default -> {
        long down = down();
        simulation.crashEnforcer(
            at, down, random.nextInt(2) * (down + random.nextLong(SECOND)), clockError());
      }
    }
  }

  private long down() {
    return random.nextInt(4) == 0 ? random.nextLong(SECOND) : random.nextLong(20 * MILLI);
  }

  private long clockError() {
    return (random.nextInt(3) - 1) * 100 * MILLI;
  }

  /** Keys are idle soon, and what is good for longer than a short time may rest. */
  private static BookSettings settings(long lease) {
    BookSettings usual = BookSettings.defaults();
    return usual.with(usual.holding().withTtl(lease).withIdle(IDLE, FORGOTTEN));
  }

  private long oneOf(long... choices) {
    return choices[random.nextInt(choices.length)];
  }

  @Override
  public String toString() {
    return story;
  }
}
