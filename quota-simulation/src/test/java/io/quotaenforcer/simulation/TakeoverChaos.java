package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * A run that is made of what takeovers are about: short leases that an instance still spends,
 * little by little, while it is not heard of; an enforcer that crashes or is replaced meanwhile, by
 * one with another clock; and others who want all that is left. A second key is not heard of while
 * one enforcer takes over after another, so that its row skips their turns. Some rules begin a new
 * generation. In a third of the runs the clocks of enforcers agree, and true time alone judges.
 */
final class TakeoverChaos {
  private static final long SECOND = 1_000 * MILLI;
  private static final long END = 9 * SECOND;
  private static final int QUIET = 2;
  private static final int GREEDY = 2;

  /** Instances of the second key: one that spends what it holds, and one that wants all. */
  private static final int HOLDS = QUIET + GREEDY;

  private static final int WANTS = HOLDS + 1;
  private static final String SKIPPING = "43";

  /** For how long the second key is used, where it rests, and for how long it is not. */
  private static final long USE = 1_500 * MILLI;

  private static final long REST = 2_000 * MILLI;

  /** Main content of a run. */
  enum Focus {
    /** Any limit. */
    TAKEOVERS,
    /** Limits for which it matters in which window use is booked. */
    BORDERS,
    /** One generation after another. */
    GENERATIONS
  }

  private final SplittableRandom random;
  private final Focus focus;
  private final boolean agree;
  private final Limit limit;
  private final Limit newer;
  private final LoopSimulation simulation;
  private final String story;

  TakeoverChaos(long seed) {
    this(seed, Focus.TAKEOVERS);
  }

  TakeoverChaos(long seed, Focus focus) {
    this.focus = focus;
    agree = Math.floorMod(seed, 3) == 0;
    random = new SplittableRandom(seed);
    limit = limit();
    newer = limit();
    long lease = oneOf(200L, 300L, 500L) * MILLI;
    long delay = oneOf(5L, 10L, 40L) * MILLI;
    long commit = oneOf(0L, 20L, 100L) * MILLI;
    Conditions conditions =
        new Conditions(new Network(delay, 0, 0), settings(lease), commit, 5 * SECOND, agree);
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
            .withEnforcement(Enforcement.STRICT)
            .withVersion(1, 1);
    simulation = new LoopSimulation(rule, WANTS + 1, conditions, seed);
    load();
    if (focus == Focus.BORDERS) {
      rests();
    } else {
      for (long at = SECOND; at < END; at += 3 * lease + random.nextLong(SECOND)) {
        if (random.nextInt(3) == 0) {
          skip(at, lease);
        } else {
          trouble(at, lease);
        }
      }
    }
    int changes = changes(rule, lease);
    story =
        "seed %d, %s: %s, leases of %d ms, delays of %d ms, commits of %d ms%s%s"
            .formatted(
                seed,
                focus,
                limit,
                lease / MILLI,
                delay / MILLI,
                commit / MILLI,
                agree ? ", clocks of enforcers agree" : "",
                changes > 0 ? ", %d times becomes %s or back".formatted(changes, newer) : "");
  }

  /** The broken promise; empty if all were kept. */
  String violation() {
    simulation.run(END + SECOND);
    return SeedRun.violation(
        simulation, (generation, nanos) -> generation % 2 == 1 ? limit : newer, agree);
  }

  /** Keys that admitted little in all that time; empty if none. */
  String liveness() {
    Map<QuotaKey, Long> admitted =
        simulation.admissions.stream()
            .collect(Collectors.groupingBy(Admission::key, Collectors.counting()));
    long least = Math.min(limit.permits(), newer.permits());
    boolean enough = admitted.values().stream().allMatch(permits -> permits >= least);
    return enough && admitted.size() == 2 ? "" : "too little was admitted: " + admitted;
  }

  private int changes(Rule rule, long lease) {
    int changes =
        switch (focus) {
          case TAKEOVERS -> random.nextInt(2);
          case BORDERS -> 0;
          case GENERATIONS -> 5;
        };
    for (int i = 1; i <= changes; i++) {
      long at = (2 + i) * SECOND + random.nextLong(SECOND / 2);
      simulation.change(
          rule.withLimit(i % 2 == 0 ? limit : newer).withVersion(1 + i, 1 + i), at, 3 * lease);
    }
    return changes;
  }

  private void load() {
    double all = 2.0 * limit.permits() * SECOND / limit.periodNanos();
    for (int i = 0; i < QUIET; i++) {
      simulation.load(i, "42", oneOf(5, 25), END);
    }
    for (int i = QUIET; i < QUIET + GREEDY; i++) {
      simulation.load(i, "42", all, END);
    }
    if (focus == Focus.BORDERS) {
      simulation.bursts(HOLDS, SKIPPING, all / 4, USE, REST, END);
      simulation.bursts(WANTS, SKIPPING, all, USE, REST, END);
    } else {
      simulation.load(HOLDS, SKIPPING, oneOf(5, 25), END);
      simulation.load(WANTS, SKIPPING, all, END);
    }
  }

  /**
   * The second key is taken over while it is used, and again while it is not, and nobody tells of
   * it: its borders are held back, and then follow enforcer time again.
   */
  private void rests() {
    for (long from = 0; from < END; from += USE + REST) {
      takeOver(from + USE / 2 + random.nextLong(USE / 4));
      for (int i = HOLDS; i <= WANTS; i++) {
        simulation.cut(i, true, true, from + USE + 60 * MILLI, REST - 70 * MILLI);
      }
      takeOver(from + USE + 3 * REST / 4 + random.nextLong(REST / 5));
    }
  }

  private void takeOver(long at) {
    long down = random.nextLong(20 * MILLI);
    if (random.nextBoolean()) {
      handOver(at, down);
    } else {
      crash(at, down, 0);
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
    switch (random.nextInt(5)) {
      case 0 -> {}
      case 1, 2 -> handOver(then, down);
      default -> crash(then, down, random.nextInt(2) * (down + random.nextLong(2 * lease)));
    }
  }

  /**
   * Two turns end one soon after the other, and nobody tells of the second key in between: one who
   * holds some of it not for longer, one who wants the rest only until then.
   */
  private void skip(long at, long lease) {
    long first = 20 * MILLI;
    long down = random.nextLong(20 * MILLI);
    long second = first + down + 30 * MILLI + random.nextLong(50 * MILLI);
    simulation.cut(HOLDS, true, true, at, second + lease + random.nextLong(lease));
    simulation.cut(WANTS, true, false, at + first / 2, second - first / 2);
    if (random.nextInt(3) == 0) {
      handOver(at + first, down);
    } else {
      crash(at + first, down, 0);
    }
    if (random.nextInt(3) == 0) {
      crash(at + second, random.nextLong(20 * MILLI), 0);
    } else {
      handOver(at + second, random.nextLong(20 * MILLI));
    }
  }

  private void handOver(long at, long down) {
    simulation.handOver(at, random.nextLong(20 * MILLI), down, clockError());
  }

  private void crash(long at, long down, long zombie) {
    simulation.crashEnforcer(at, down, zombie, clockError());
  }

  private long clockError() {
    return (random.nextInt(3) - 1) * 100 * MILLI;
  }

  private Limit limit() {
    long permits = oneOf(40L, 120L);
    long period = oneOf(500L, 1_000L) * MILLI;
    return focus == Focus.BORDERS
        ? DrawnLimits.withBorders(random, permits, period)
        : DrawnLimits.any(random, permits, period);
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
