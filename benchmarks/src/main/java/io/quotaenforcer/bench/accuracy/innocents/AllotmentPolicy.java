package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.bench.fleet.Ledgers;
import io.quotaenforcer.bench.fleet.SimulatedFleet;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.simulation.Timeline;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Allotments of a simulated fleet.
 *
 * @param requests of each user by number
 * @param waitNanos how long callers wait at most; 0 for those that do not
 */
record AllotmentPolicy(SimulatedFleet fleet, List<Request> requests, long waitNanos)
    implements Policy {
  private static final int PARTITIONS = 4;

  static AllotmentPolicy of(
      RuleSet rules,
      List<Request> requests,
      int instances,
      long waitNanos,
      Timeline time,
      SplittableRandom random) {
    return new AllotmentPolicy(
        new SimulatedFleet(rules, instances, PARTITIONS, Ledgers.inMemory(), time, random),
        requests,
        waitNanos);
  }

  @Override
  public void ask(int user, int instance, Answer answer) {
    Request request = requests.get(user);
    if (waitNanos == 0) {
      answer(fleet.decide(instance, request), answer);
    } else {
      fleet.decide(instance, request, waitNanos).thenAccept(decision -> answer(decision, answer));
    }
  }

  @Override
  public double loopNanos() {
    return fleet.loopNanos();
  }

  private static void answer(Decision decision, Answer answer) {
    boolean admitted = decision.admitted();
    answer.decided(
        admitted, admitted ? decision.rule().map(RuleDecision::windowStartNanos).orElse(0L) : 0);
  }
}
