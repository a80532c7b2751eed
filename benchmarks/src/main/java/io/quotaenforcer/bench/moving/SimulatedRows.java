package io.quotaenforcer.bench.moving;

import io.quotaenforcer.bench.moving.scenario.ClassRow;
import io.quotaenforcer.bench.moving.scenario.ElasticLoad;
import io.quotaenforcer.bench.moving.scenario.ElasticRow;
import io.quotaenforcer.bench.moving.scenario.PenaltyRow;
import io.quotaenforcer.bench.moving.scenario.SlotRow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.simulation.overload.LimitLaw;
import io.quotaenforcer.simulation.overload.OverloadRow;
import io.quotaenforcer.simulation.overload.OverloadScenario;
import io.quotaenforcer.simulation.overload.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The rows that are simulated.
 *
 * @param seed of the times of requests
 */
record SimulatedRows(long seed) {
  /** Parts of what all ask for: one that is too little, and one that suffices. */
  private static final List<Double> POOLS = List.of(0.8, 1.2);

  /** Of a service whose load a limit follows. */
  private static final int SERVERS = 10;

  private static final List<Enforcement> SHARED = List.of(Enforcement.STRICT, Enforcement.BALANCED);

  List<ClassRow> classes(Consumer<ClassRow> progress) {
    List<ClassRow> rows = new ArrayList<>();
    for (LimitKind kind : LimitKind.values()) {
      for (Enforcement enforcement : SHARED) {
        add(new ClassScenario(kind, enforcement, seed).run(), rows, progress);
      }
    }
    return rows;
  }

  List<ElasticRow> elastic(Consumer<ElasticRow> progress) {
    List<ElasticRow> rows = new ArrayList<>();
    for (LimitKind kind : LimitKind.values()) {
      for (Enforcement enforcement : SHARED) {
        for (double pool : POOLS) {
          ElasticLoad load = new ElasticLoad(kind, enforcement, pool);
          add(new ElasticScenario(load, seed).run(), rows, progress);
        }
      }
    }
    return rows;
  }

  List<SlotRow> slots(Consumer<SlotRow> progress) {
    List<SlotRow> rows = new ArrayList<>();
    add(new SlotScenario(seed).run(), rows, progress);
    return rows;
  }

  List<PenaltyRow> penalties(Consumer<PenaltyRow> progress) {
    List<PenaltyRow> rows = new ArrayList<>();
    for (Enforcement enforcement : SHARED) {
      add(new PenaltyScenario(enforcement, seed).run(), rows, progress);
    }
    return rows;
  }

  /** The law that keeps its aims whatever the trouble; {@code bench adapt} has the others. */
  List<OverloadRow> adaptive(Consumer<OverloadRow> progress) {
    List<OverloadRow> rows = new ArrayList<>();
    for (Trouble trouble : Trouble.values()) {
      OverloadScenario scenario = new OverloadScenario(trouble, SERVERS);
      add(scenario.run(seed).get(LimitLaw.SERVED.ordinal()), rows, progress);
    }
    return rows;
  }

  private static <T> void add(T row, List<T> rows, Consumer<T> progress) {
    rows.add(row);
    progress.accept(row);
  }
}
