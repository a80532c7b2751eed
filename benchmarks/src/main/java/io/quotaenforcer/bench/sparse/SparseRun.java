package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One scenario over simulated time: requests of all users come at random, to random instances. */
final class SparseRun {
  private static final long SECOND = 1_000 * SparseFleet.MILLI;

  private final SparseScenario scenario;
  private final SplittableRandom random;
  private final SparseFleet fleet;
  private final Judge judge;
  private final List<Request> users;
  private final int abusive = SparseScenario.USERS_SAMPLED / SparseScenario.ABUSIVE_ONE_IN;
  private final double abusiveShare =
      abusive * SparseScenario.ABUSIVE_PER_MINUTE / 60 / SparseScenario.requestsPerSecond();

  SparseRun(SparseScenario scenario, long seed) {
    this.scenario = scenario;
    this.random = new SplittableRandom(seed);
    Rule rule = scenario.rule();
    this.fleet = new SparseFleet(rule, SparseScenario.INSTANCES, random.split());
    this.users = usersOfPartition(rule);
    this.judge = new Judge(scenario.limit(), users.size(), SparseScenario.INSTANCES, abusive);
  }

  SparseResult run(int warmUpSeconds, int seconds) {
    next();
    fleet.time.runUntil(SparseFleet.START + warmUpSeconds * SECOND);
    judge.clear();
    fleet.enforcer.clearTraffic();
    fleet.time.runUntil(SparseFleet.START + (warmUpSeconds + seconds) * SECOND);
    return SparseResult.of(scenario, seconds, abusive, judge, fleet.enforcer);
  }

  private void next() {
    double gap = -Math.log(1 - random.nextDouble()) / SparseScenario.requestsPerSecond();
    fleet.time.at(
        fleet.time.now() + (long) (gap * SECOND),
        () -> {
          request();
          next();
        });
  }

  private void request() {
    int user =
        random.nextDouble() < abusiveShare
            ? random.nextInt(abusive)
            : abusive + random.nextInt(users.size() - abusive);
    int instance = random.nextInt(SparseScenario.INSTANCES);
    Decision decision = fleet.decide(instance, users.get(user));
    judge.judge(user, instance, decision, fleet.time.now());
  }

  /** Users whose quota keys all belong to partition 0. */
  private static List<Request> usersOfPartition(Rule rule) {
    List<Request> users = new ArrayList<>(SparseScenario.USERS_SAMPLED);
    for (int i = 0; users.size() < SparseScenario.USERS_SAMPLED; i++) {
      String user = "user-%07d".formatted(i);
      QuotaKey key = QuotaKey.of(rule.id(), List.of(user));
      if (key.partition(SparseScenario.PARTITIONS) == 0) {
        users.add(Request.of("user", user));
      }
    }
    return users;
  }
}
