package io.quotaenforcer.simulation.overload;

import java.util.ArrayList;
import java.util.List;

/** A service in trouble under each limit that follows its load, and what it is compared with. */
public record OverloadScenario(Trouble trouble, int servers) {
  public OverloadScenario {
    if (servers < 1) {
      throw new IllegalArgumentException("must be positive: servers=" + servers);
    }
  }

  /** A row for each law, in their order. */
  public List<OverloadRow> run(long seed) {
    ServiceRun run = new ServiceRun(trouble, servers, seed);
    double best = BestFixed.good(run);
    double written = LimitLaw.WRITTEN * run.capacity();
    double without = run.run(new RateGate(written)).goodInTrouble() / best;
    double gradient2 = run.run(new Gradient2Gate(servers)).goodInTrouble() / best;
    List<OverloadRow> rows = new ArrayList<>();
    for (LimitLaw law : LimitLaw.values()) {
      Course course = run.run(law.gate(servers));
      rows.add(
          new OverloadRow(
              trouble,
              servers,
              law,
              course.settledSeconds(trouble.changedAtSecond()),
              course.swing(),
              course.goodInTrouble() / best,
              without,
              gradient2));
    }
    return rows;
  }

  /** The worst of each figure, of so many seeds. */
  public List<OverloadRow> run(long firstSeed, int seeds) {
    List<OverloadRow> worst = run(firstSeed);
    for (long seed = firstSeed + 1; seed < firstSeed + seeds; seed++) {
      List<OverloadRow> before = worst;
      List<OverloadRow> more = run(seed);
      worst = new ArrayList<>();
      for (int i = 0; i < more.size(); i++) {
        worst.add(before.get(i).worse(more.get(i)));
      }
    }
    return worst;
  }
}
