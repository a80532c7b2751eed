package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.simulation.Timeline;
import java.util.SplittableRandom;

/** Cases in one process, on a simulated clock and network. */
public final class Simulation {
  private static final long MILLI = 1_000_000L;

  /** The loop assumed before one has been measured. */
  static final double FIRST_LOOP_NANOS = 40 * MILLI;

  private final long seed;
  private final double seconds;

  /** Simulates as many seconds. */
  public Simulation(long seed, double seconds) {
    this.seed = seed;
    this.seconds = seconds;
  }

  /** The requests of users to a fleet, the same for each case. */
  public Visits visits(int users, int instances) {
    return new Visits(new Visitors(users), instances, seconds, seed);
  }

  /** Runs a case from rest. */
  public InnocentsRow run(Case of, Visits visits) {
    Timeline time = new Timeline(Visits.START);
    AllotmentPolicy fleet =
        AllotmentPolicy.of(
            RuleSet.of(visits.visitors().rules(of.kind(), of.enforcement())),
            visits.visitors().requests(),
            of.instances(),
            of.maxWaitMs() * MILLI,
            time,
            new SplittableRandom(seed));
    Judge judge = judge(of.kind(), of.enforcement(), visits, fleet, time);
    time.runUntil(visits.endNanos() + 2L * of.maxWaitMs() * MILLI);
    return InnocentsRow.of(of, seed, seconds, fleet.loopNanos() / MILLI, judge);
  }

  /** Asks all that is asked, and judges what is decided; waiting requests may be undecided. */
  static Judge judge(
      LimitKind kind, Enforcement enforcement, Visits visits, Policy policy, Timeline time) {
    Judge judge = new Judge(kind, enforcement, visits.visitors(), Visits.START);
    for (int i = 0; i < visits.size(); i++) {
      long at = visits.at(i);
      time.runUntil(at);
      int user = visits.user(i);
      double loop = policy.loopNanos();
      boolean allowed = judge.asked(user, at, loop > 0 ? loop : FIRST_LOOP_NANOS);
      policy.ask(
          user,
          visits.instance(i),
          (admitted, window) -> judge.decided(user, allowed, admitted, window, at, time.now()));
    }
    return judge;
  }
}
