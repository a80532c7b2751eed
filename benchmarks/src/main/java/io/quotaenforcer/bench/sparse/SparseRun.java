package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.bench.fleet.SimulatedFleet;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.simulation.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One scenario over simulated time: requests of all users come at random, to random instances. */
final class SparseRun {
  static final long MICRO = 1_000L;
  static final long MILLI = 1_000 * MICRO;
  static final long START = 1_700_000_000_000_000_000L / (60_000 * MILLI) * (60_000 * MILLI);

  private static final long SECOND = 1_000 * MILLI;

  private final SparseScenario scenario;
  private final SplittableRandom random;
  final MeasuredLedgers ledgers = new MeasuredLedgers();
  final Timeline time = new Timeline(START);
  final SimulatedFleet fleet;
  private final List<Request> users = new ArrayList<>();
  private final int abusive = SparseScenario.USERS_SAMPLED / SparseScenario.ABUSIVE_ONE_IN;
  private final double abusiveShare =
      abusive * SparseScenario.ABUSIVE_PER_MINUTE / 60 / SparseScenario.requestsPerSecond();

  SparseRun(SparseScenario scenario, SplittableRandom random) {
    this.scenario = scenario;
    this.random = random;
    this.fleet =
        new SimulatedFleet(
            RuleSet.of(List.of(scenario.rule())),
            SparseScenario.INSTANCES,
            SparseScenario.PARTITIONS,
            ledgers,
            time,
            random.split());
  }

  SparseResult run(int warmUpSeconds, int seconds) {
    users.addAll(usersOfPartition(scenario.rule()));
    Judge judge = new Judge(scenario.limit(), users.size(), SparseScenario.INSTANCES, abusive);
    next(judge);
    time.runUntil(START + warmUpSeconds * SECOND);
    judge.clear();
    ledgers.clearTraffic();
    time.runUntil(START + (warmUpSeconds + seconds) * SECOND);
    return SparseResult.of(scenario, seconds, abusive, judge, ledgers);
  }

  private void next(Judge judge) {
    double gap = -Math.log(1 - random.nextDouble()) / SparseScenario.requestsPerSecond();
    time.at(
        time.now() + (long) (gap * SECOND),
        () -> {
          request(judge);
          next(judge);
        });
  }

  private void request(Judge judge) {
    int user =
        random.nextDouble() < abusiveShare
            ? random.nextInt(abusive)
            : abusive + random.nextInt(users.size() - abusive);
    int instance = random.nextInt(SparseScenario.INSTANCES);
    if (scenario.waitNanos() == 0) {
      judge.judge(user, instance, fleet.decide(instance, users.get(user)), time.now());
      return;
    }
    long asked = time.now();
    fleet
        .decide(instance, users.get(user), scenario.waitNanos())
        .thenAccept(
            decision -> {
              judge.judge(user, instance, decision, asked);
              if (decision.admitted()) {
                judge.waited(time.now() - asked);
              }
            });
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
