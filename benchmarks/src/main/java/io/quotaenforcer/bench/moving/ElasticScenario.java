package io.quotaenforcer.bench.moving;

import io.quotaenforcer.bench.fleet.Ledgers;
import io.quotaenforcer.bench.fleet.SimulatedFleet;
import io.quotaenforcer.bench.moving.scenario.ElasticJudge;
import io.quotaenforcer.bench.moving.scenario.ElasticLoad;
import io.quotaenforcer.bench.moving.scenario.ElasticRow;
import io.quotaenforcer.simulation.Timeline;
import java.util.SplittableRandom;

/** An elastic load, simulated. */
record ElasticScenario(ElasticLoad load, long seed) {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_600_000_000L * SECOND;
  private static final int WARM_UP = 2;
  private static final int PERIODS = 6;
  private static final long END = START + (WARM_UP + PERIODS) * ElasticLoad.PERIOD;

  ElasticRow run() {
    return new Run(seed).row();
  }

  private final class Run {
    private final Timeline time = new Timeline(START);
    private final SplittableRandom random;
    private final SimulatedFleet fleet;
    private final ElasticJudge judge = new ElasticJudge(load, START, WARM_UP, PERIODS);

    Run(long seed) {
      random = new SplittableRandom(seed);
      fleet =
          new SimulatedFleet(
              load.rules(),
              ElasticLoad.INSTANCES,
              ElasticLoad.PARTITIONS,
              Ledgers.inMemory(),
              time,
              random.split());
    }

    ElasticRow row() {
      for (int user = 0; user < ElasticLoad.USERS; user++) {
        next(user, START);
      }
      time.runUntil(END + 2 * load.waitNanos());
      return judge.row();
    }

    private void next(int user, long after) {
      long at = after + ElasticLoad.gap(user, random);
      if (at < END) {
        time.at(
            at,
            () -> {
              fleet
                  .decide(
                      random.nextInt(ElasticLoad.INSTANCES),
                      ElasticLoad.request(user),
                      load.waitNanos())
                  .thenAccept(decision -> judge.decided(user, decision, at, time.now()));
              next(user, at);
            });
      }
    }
  }
}
