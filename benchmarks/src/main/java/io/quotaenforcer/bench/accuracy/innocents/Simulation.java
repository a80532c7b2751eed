package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.bench.figures.Percentile;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.simulation.Timeline;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Cases in one process, on a simulated clock and network. */
public final class Simulation {
  private static final long MILLI = 1_000_000L;

  /** What instances do not know before a loop was measured. */
  private static final double FIRST_LOOP_NANOS = 40 * MILLI;

  private final long seed;
  private final double seconds;

  /** Simulates as many seconds. */
  public Simulation(long seed, double seconds) {
    this.seed = seed;
    this.seconds = seconds;
  }

  /** What users ask of a fleet, the same for each case. */
  public Visits visits(int users, int instances) {
    return new Visits(new Visitors(users), instances, seconds, seed);
  }

  /** Runs a case from rest. */
  public InnocentsRow run(Case of, Visits visits) {
    Timeline time = new Timeline(Visits.START);
    SimulatedFleet fleet =
        new SimulatedFleet(
            RuleSet.of(Visitors.rules(of.kind(), of.enforcement())),
            visits.visitors(),
            of.instances(),
            of.waitMillis() * MILLI,
            time,
            new SplittableRandom(seed));
    Judge judge = judge(of.kind(), visits, fleet, time);
    time.runUntil(visits.endNanos() + 2 * of.waitMillis() * MILLI);
    return row(of, "simulated", fleet.loopNanos(), judge);
  }

  /** Asks all that is asked, and judges what is decided; waiting requests may be undecided. */
  static Judge judge(LimitKind kind, Visits visits, Policy policy, Timeline time) {
    Judge judge = new Judge(kind, visits.visitors(), Visits.START);
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

  private InnocentsRow row(Case of, String mode, double loopNanos, Judge judge) {
    Map<UserLimit, Map<UserClass, Figures>> parts = new EnumMap<>(UserLimit.class);
    for (UserLimit limit : UserLimit.values()) {
      Map<UserClass, Figures> classes = new EnumMap<>(UserClass.class);
      for (UserClass users : UserClass.values()) {
        classes.put(users, judge.figures(limit, users));
      }
      parts.put(limit, classes);
    }
    long[] waits = judge.waitsOfInnocents().toArray();
    return new InnocentsRow(
        of,
        mode,
        seed,
        seconds,
        loopNanos / MILLI,
        parts,
        Percentile.of(Arrays.stream(waits)),
        Percentile.of(Arrays.stream(waits).filter(wait -> wait > 0)));
  }
}
