package io.quotaenforcer.bench.moving;

import io.quotaenforcer.bench.fleet.Excess;
import io.quotaenforcer.bench.fleet.Ledgers;
import io.quotaenforcer.bench.fleet.SimulatedFleet;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.simulation.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Sixty users of eight instances: fifty ask for half of their limit, ten for three times as much,
 * and may have that as far as a pool reaches. Each request comes to an instance by chance.
 *
 * @param poolPart the pool's permits, as a part of what all ask for
 */
record ElasticScenario(LimitKind kind, Enforcement enforcement, double poolPart, long seed) {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_600_000_000L * SECOND;
  private static final long PERIOD = 10 * SECOND;
  private static final long WARM_UP = 2 * PERIOD;
  private static final long END = 8 * PERIOD;
  private static final int INSTANCES = 8;

  /** How long callers of strict rules wait if they find nothing of a user at an instance. */
  private static final long WAIT = SECOND / 5;

  private static final int PARTITIONS = 8;
  private static final long NOMINAL = 100;
  private static final int WITHIN = 50;
  private static final int BEYOND = 10;
  private static final double PART_WITHIN = 0.5;
  private static final int TIMES_BEYOND = 3;
  private static final int UP_TO = TIMES_BEYOND * 10_000;
  private static final double ASKED =
      NOMINAL * (WITHIN * PART_WITHIN + BEYOND * (double) TIMES_BEYOND);

  private static final RuleId USERS = new RuleId("messages", "per-user");
  private static final RuleId POOL = new RuleId("messages", "all");

  /** Judges the run while it goes on. */
  private final class Judge {
    private final long[] asked = new long[WITHIN + BEYOND];
    private final long[] admitted = new long[WITHIN + BEYOND];
    private final Excess ofPool;
    private final List<Excess> ofUsers = new ArrayList<>();
    private long over;

    Judge(RuleSet rules) {
      ofPool = Excess.divided(rules.rule(POOL).orElseThrow().limit(), START);
      for (int i = 0; i < asked.length; i++) {
        ofUsers.add(Excess.divided(kind.limit(TIMES_BEYOND * NOMINAL, PERIOD), START));
      }
    }

    void decided(int user, Decision decision, long askedAt, long at) {
      boolean counts = askedAt >= START + WARM_UP;
      asked[user] += counts ? 1 : 0;
      if (!decision.admitted()) {
        return;
      }
      admitted[user] += counts ? 1 : 0;
      long window = 0;
      for (RuleDecision each : decision.rules()) {
        window = each.quotaKey().rule().equals(POOL) ? each.windowStartNanos() : window;
      }
      over += enforcement == Enforcement.STRICT && ofPool.isOver(at, window) ? 1 : 0;
      // Openings of a balanced rule may be over.
      over += enforcement == Enforcement.STRICT && ofUsers.get(user).isOver(at, 0) ? 1 : 0;
    }

    double part(int user) {
      return (double) admitted[user] / asked[user];
    }
  }

  ElasticRow run() {
    long permits = Math.round(poolPart * ASKED);
    Rule users =
        Rule.of(USERS, List.of("user"), kind.limit(NOMINAL, PERIOD))
            .withEnforcement(enforcement)
            .withElastic(new Elastic(POOL.id(), UP_TO))
            .withVersion(1, 1);
    Rule pool =
        Rule.of(POOL, List.of(), kind.limit(permits, PERIOD))
            .withEnforcement(enforcement)
            .withVersion(1, 1);
    RuleSet rules = RuleSet.of(List.of(users, pool));
    Timeline time = new Timeline(START);
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedFleet fleet =
        new SimulatedFleet(rules, INSTANCES, PARTITIONS, Ledgers.inMemory(), time, random.split());
    Judge judge = new Judge(rules);
    for (int user = 0; user < WITHIN + BEYOND; user++) {
      double perPeriod = NOMINAL * (user < WITHIN ? PART_WITHIN : TIMES_BEYOND);
      next(user, perPeriod, START, fleet, judge, time, random);
    }
    time.runUntil(START + END + 2 * WAIT);
    return row(permits, judge);
  }

  private void next(
      int user,
      double perPeriod,
      long after,
      SimulatedFleet fleet,
      Judge judge,
      Timeline time,
      SplittableRandom random) {
    long at = after + (long) (-Math.log(1 - random.nextDouble()) * PERIOD / perPeriod);
    if (at < START + END) {
      time.at(
          at,
          () -> {
            Request request = Request.of("user", "u-" + user);
            long wait = enforcement == Enforcement.STRICT ? WAIT : 0;
            fleet
                .decide(random.nextInt(INSTANCES), request, wait)
                .thenAccept(decision -> judge.decided(user, decision, at, time.now()));
            next(user, perPeriod, at, fleet, judge, time, random);
          });
    }
  }

  private ElasticRow row(long permits, Judge judge) {
    long asked = 0;
    long admitted = 0;
    long askedWithin = 0;
    long admittedWithin = 0;
    double least = 1;
    double most = 0;
    for (int user = 0; user < WITHIN + BEYOND; user++) {
      asked += judge.asked[user];
      admitted += judge.admitted[user];
      if (user < WITHIN) {
        askedWithin += judge.asked[user];
        admittedWithin += judge.admitted[user];
      } else {
        least = Math.min(least, judge.part(user));
        most = Math.max(most, judge.part(user));
      }
    }
    double available = permits * (double) (END - WARM_UP) / PERIOD;
    return new ElasticRow(
        kind.label(),
        enforcement,
        poolPart,
        (double) admittedWithin / askedWithin,
        least,
        most,
        1.0 / TIMES_BEYOND,
        admitted / Math.min(available, asked),
        judge.over);
  }
}
