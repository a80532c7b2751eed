package io.quotaenforcer.bench.moving;

import io.quotaenforcer.bench.moving.scenario.SlotLoad;
import io.quotaenforcer.bench.moving.scenario.SlotRow;
import io.quotaenforcer.simulation.LoopSimulation;

/**
 * Slots, simulated with a network that takes 10 ms each way. One instance takes all of them, eight
 * others begin to ask for twice as many, and then the first one crashes; what it held runs for as
 * long as it may. Requests wait for up to a second.
 */
record SlotScenario(long seed) {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final int GONE = SlotLoad.INSTANCES;
  private static final long TAKEN = SECOND;
  private static final long CRASH = 2 * SECOND;
  private static final long GIVE_UP = CRASH + 30 * SECOND;
  private static final long STEP = MILLI;
  private static final long SETTLE = 3 * SECOND;
  private static final long MEASURED = 20 * SECOND;
  private static final String TENANT = "acme";

  private static final LoopSimulation.Network NETWORK =
      new LoopSimulation.Network(10 * MILLI, 0, 0);

  SlotRow run() {
    LoopSimulation simulation =
        new LoopSimulation(SlotLoad.rule("user"), SlotLoad.INSTANCES + 1, NETWORK, seed);
    for (int i = 0; i < SlotLoad.SLOTS; i++) {
      simulation.passage(GONE, TENANT, SlotLoad.MAX_HOLD, SlotLoad.MAX_HOLD, TAKEN);
    }
    LoopSimulation.Passing each =
        new LoopSimulation.Passing(
            SlotLoad.perSecond(), SlotLoad.MEAN_HOLD, SlotLoad.MAX_HOLD, 1, SECOND);
    for (int i = 0; i < SlotLoad.INSTANCES; i++) {
      simulation.passages(i, TENANT, each, GIVE_UP + SETTLE + MEASURED);
    }
    simulation.crash(GONE, CRASH);
    long back = back(simulation);
    simulation.run(back + SETTLE);
    long most = simulation.slots().most();
    simulation.slots().restart(simulation.now());
    simulation.run(back + SETTLE + MEASURED);
    double mean = simulation.slots().takeMean(MEASURED, simulation.now());
    return new SlotRow(
        SlotLoad.SLOTS,
        mean / SlotLoad.SLOTS,
        Math.max(most, simulation.slots().most()),
        back < GIVE_UP ? (back - CRASH) / 1e9 : Double.POSITIVE_INFINITY);
  }

  /** When others hold all slots, or when to give up. */
  private static long back(LoopSimulation simulation) {
    // What the crashed instance set going runs to its end.
    long at = CRASH + SlotLoad.MAX_HOLD;
    simulation.run(at);
    while (simulation.slots().held() < SlotLoad.SLOTS && at < GIVE_UP) {
      at += STEP;
      simulation.run(at);
    }
    return at;
  }
}
