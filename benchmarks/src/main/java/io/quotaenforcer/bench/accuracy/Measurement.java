package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.bench.accuracy.scenario.Admissions;
import io.quotaenforcer.bench.accuracy.scenario.Arrivals;
import io.quotaenforcer.bench.accuracy.scenario.LoopSetting;
import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import io.quotaenforcer.lab.verdict.TurnedAway;
import io.quotaenforcer.simulation.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A scenario measured over seeds. */
record Measurement(int seeds, int windows, double mostSeconds) {
  private static final int WARM_UP = 2;

  /** A row per loop setting and policy: means over the seeds, and the worst window of all. */
  List<Row> run(Scenario scenario) {
    int kinds = PolicyKind.values().length;
    double[][] sums = new double[Scenario.LOOPS.size() * kinds][5];
    for (int seed = 0; seed < seeds; seed++) {
      addSeed(scenario, seed, sums);
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < sums.length; i++) {
      double[] sum = sums[i];
      rows.add(
          new Row(
              scenario,
              Scenario.LOOPS.get(i / kinds),
              PolicyKind.values()[i % kinds],
              sum[0] / seeds,
              sum[1] / seeds,
              sum[4] / seeds,
              sum[2],
              sum[3] / seeds));
    }
    return rows;
  }

  private void addSeed(Scenario scenario, int seed, double[][] sums) {
    double period = scenario.limit().periodNanos() / 1e9;
    int measured = (int) Math.max(3, Math.min(windows, mostSeconds / period));
    int last = WARM_UP + measured;
    Arrivals arrivals = new Arrivals(scenario, last * period, new SplittableRandom(seed));
    Admissions ideal = Admissions.ofOne(scenario.limit(), last);
    boolean[] fits = new boolean[arrivals.size()];
    for (int i = 0; i < fits.length; i++) {
      fits[i] = ideal.offer(arrivals.at(i));
    }
    long measuredFrom = Arrivals.START + WARM_UP * scenario.limit().periodNanos();
    double allowed = ideal.within(WARM_UP, last);
    double limit = scenario.limit().permits();
    int row = 0;
    for (LoopSetting loop : Scenario.LOOPS) {
      for (PolicyKind kind : PolicyKind.values()) {
        Admissions admissions =
            kind.isAllotment()
                ? Admissions.ofMany(scenario.limit(), last, loop.borderNanos())
                : Admissions.ofOne(scenario.limit(), last);
        TurnedAway.Tally turnedAway = new TurnedAway.Tally();
        Outcome outcome =
            (index, at, window) -> {
              if (at >= measuredFrom) {
                turnedAway.add(fits[index], window != Policy.NOT_ADMITTED);
              }
              if (window != Policy.NOT_ADMITTED) {
                admissions.add(at, window);
              }
            };
        double loopMillis = run(scenario, loop, kind, arrivals, outcome, seed);
        double within = admissions.within(WARM_UP, last);
        double[] sum = sums[row++];
        sum[0] += 100 * admissions.excess(WARM_UP, last) / (limit * measured);
        sum[1] += Math.max(0, 100 * (allowed - within) / Math.max(1, allowed));
        sum[2] = Math.max(sum[2], 100 * admissions.worstExcess(WARM_UP, last) / limit);
        sum[4] += turnedAway.total().percent();
        sum[3] += loopMillis > 0 ? loopMillis : loop.expectedMillis();
      }
    }
  }

  /** Hears what became of a request: the window of its permit, or that it was not admitted. */
  private interface Outcome {
    void decided(int index, long at, long window);
  }

  private static double run(
      Scenario scenario,
      LoopSetting loop,
      PolicyKind kind,
      Arrivals arrivals,
      Outcome outcome,
      int seed) {
    Timeline time = new Timeline(Arrivals.START);
    SplittableRandom random =
        new SplittableRandom(Arrays.hashCode(new int[] {seed, kind.ordinal()}));
    Policy policy =
        Policy.of(kind, new Fleet(scenario.limit(), scenario.instances(), loop, time, random));
    for (int i = 0; i < arrivals.size(); i++) {
      long at = arrivals.at(i);
      time.runUntil(at);
      outcome.decided(i, at, policy.decide(arrivals.instance(i), at));
    }
    return policy.loopMillis();
  }
}
