package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.bench.moving.scenario.ClassLoad;
import io.quotaenforcer.bench.moving.scenario.ClassRow;
import io.quotaenforcer.bench.moving.scenario.ElasticLoad;
import io.quotaenforcer.bench.moving.scenario.ElasticRow;
import io.quotaenforcer.bench.moving.scenario.SlotRow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The rows that are measured in real time, of strict limits.
 *
 * @param seed of the times of requests
 */
public record RealRows(RealScale scale, long seed) {

  public List<RealRow<ClassRow>> classes(Consumer<RealRow<ClassRow>> progress)
      throws InterruptedException {
    List<RealRow<ClassRow>> rows = new ArrayList<>();
    if (scale.warmUpSeconds() > 0) {
      classes(scale.kinds().get(0), scale.warmUpSeconds());
    }
    for (LimitKind kind : scale.kinds()) {
      add(classes(kind, scale.classSeconds()), rows, progress);
    }
    return rows;
  }

  private RealRow<ClassRow> classes(LimitKind kind, int seconds) throws InterruptedException {
    return new RealClasses(new ClassLoad(kind, Enforcement.STRICT), seconds, seed).run();
  }

  public List<RealRow<ElasticRow>> elastic(Consumer<RealRow<ElasticRow>> progress)
      throws InterruptedException {
    List<RealRow<ElasticRow>> rows = new ArrayList<>();
    for (LimitKind kind : scale.kinds()) {
      for (double pool : scale.pools()) {
        ElasticLoad load = new ElasticLoad(kind, Enforcement.STRICT, pool);
        RealElastic run = new RealElastic(load, scale.warmUpPeriods(), scale.periods(), seed);
        add(run.run(), rows, progress);
      }
    }
    return rows;
  }

  public List<RealRow<SlotRow>> slots(Consumer<RealRow<SlotRow>> progress) throws Exception {
    List<RealRow<SlotRow>> rows = new ArrayList<>();
    add(new RealSlots(scale.slotSeconds(), seed).run(), rows, progress);
    return rows;
  }

  private static <T> void add(
      RealRow<T> row, List<RealRow<T>> rows, Consumer<RealRow<T>> progress) {
    rows.add(row);
    progress.accept(row);
  }
}
