package io.quotaenforcer.bench.moving;

import io.quotaenforcer.bench.moving.scenario.ClassLoad;
import io.quotaenforcer.bench.moving.scenario.ClassRow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.simulation.LoopSimulation;
import io.quotaenforcer.simulation.Served;
import java.util.Map;

/** The load of three classes, simulated with a network that takes 10 ms each way. */
record ClassScenario(LimitKind kind, Enforcement enforcement, long seed) {
  private static final long SECOND = 1_000_000_000L;
  private static final long END = 20 * SECOND;
  private static final long AFTER_THE_LOOP = ClassLoad.STEP + ClassLoad.LOOP;

  private static final LoopSimulation.Network NETWORK =
      new LoopSimulation.Network(SECOND / 100, 0, 0);

  ClassRow run() {
    Rule rule = new ClassLoad(kind, enforcement).rule();
    LoopSimulation simulation = new LoopSimulation(rule, ClassLoad.INSTANCES, NETWORK, seed);
    load(simulation, 0);
    simulation.run(ClassLoad.STEP);
    simulation.takeServed();
    load(simulation, ClassLoad.STEP);
    simulation.run(AFTER_THE_LOOP);
    Served inTheFirstLoop = of(simulation.takeServed(), ClassLoad.CRITICAL);
    long before = simulation.admissions.size();
    simulation.run(END);
    Map<String, Served> then = simulation.takeServed();
    double seconds = (double) (END - AFTER_THE_LOOP) / SECOND;
    return new ClassRow(
        kind.label(),
        enforcement,
        inTheFirstLoop.part(),
        of(then, ClassLoad.CRITICAL).part(),
        of(then, ClassLoad.NORMAL).part(),
        of(then, ClassLoad.BATCH).part(),
        (simulation.admissions.size() - before) / (ClassLoad.PERMITS * seconds),
        enforcement == Enforcement.STRICT ? simulation.worstExcess(rule.limit()) : 0);
  }

  private static void load(LoopSimulation simulation, long from) {
    for (ClassLoad.Stream stream : ClassLoad.streams()) {
      for (int i = 0; i < ClassLoad.INSTANCES && stream.fromNanos() == from; i++) {
        simulation.load(i, stream.request(), stream.perSecond(), END);
      }
    }
  }

  private static Served of(Map<String, Served> served, String demandClass) {
    return served.getOrDefault(demandClass, Served.NONE);
  }
}
