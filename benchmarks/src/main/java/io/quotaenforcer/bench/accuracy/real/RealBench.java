package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import io.quotaenforcer.lab.verdict.KeyTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Trials one after the other, on one broker and one enforcer. Those of one kind share a fleet, as
 * what others have open would disturb them; all are returned in the order in which they are given.
 */
public final class RealBench {
  /** The number of instances, by which shared openings and local shares are divided. */
  static final int MAX_INSTANCES = 8;

  private static final int WARM_UP_SECONDS = 1;
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final TrueTime time = TrueTime.now();
  private final List<Trial> trials;
  private final Consumer<RealRow> progress;

  /**
   * @param progress hears of each row as it is measured
   */
  public RealBench(List<Trial> trials, Consumer<RealRow> progress) {
    this.trials = List.copyOf(trials);
    this.progress = progress;
  }

  /** Runs them all. */
  public List<RealRow> run() throws InterruptedException {
    if (trials.isEmpty()) {
      return List.of();
    }
    Map<PolicyKind, List<Trial>> byKind = new LinkedHashMap<>();
    for (Trial trial : trials) {
      byKind.computeIfAbsent(trial.policy().shared(), this::warmUp).add(trial);
    }
    List<Trial> all = byKind.values().stream().flatMap(List::stream).toList();
    Map<Trial, RealRow> rows = new LinkedHashMap<>();
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            MAX_INSTANCES,
            all.stream().map(Trial::rule).toList(),
            EmbeddedCluster.settings(time::epochNanos))) {
      for (List<Trial> together : byKind.values()) {
        run(together, cluster, rows);
      }
    }
    return trials.stream().map(rows::get).toList();
  }

  private List<Trial> warmUp(PolicyKind kind) {
    return new ArrayList<>(
        List.of(new Trial(Trial.WARM_UP, kind, WARM_UP_SECONDS, trials.get(0).seed())));
  }

  private void run(List<Trial> together, EmbeddedCluster cluster, Map<Trial, RealRow> rows)
      throws InterruptedException {
    KeyTable keys = new KeyTable(together.stream().map(Trial::rule).toList());
    int size = together.stream().mapToInt(trial -> trial.scenario().instances()).max().orElse(1);
    try (Fleet fleet = new Fleet(cluster.bootstrapServers(), keys, size, time)) {
      for (Trial trial : together) {
        fleet.prepare(trial);
        long start = start(trial);
        List<InstanceLog> logs = fleet.run(trial, start);
        if (trial.scenario() != Trial.WARM_UP) {
          Figures figures = new RealJudge(trial, start).judge(keys, logs);
          RealRow row = new RealRow(trial, figures, counted(cluster, trial, figures.admitted()));
          rows.put(trial, row);
          progress.accept(row);
        }
      }
    }
  }

  /** A border of the trial's windows soon. */
  private long start(Trial trial) {
    long period = trial.scenario().limit().periodNanos();
    return (Math.floorDiv(time.epochNanos() + LEAD_NANOS, period) + 1) * period;
  }

  /** The enforcer's count, once it equals what was admitted or no longer changes. */
  private static @Nullable Long counted(EmbeddedCluster cluster, Trial trial, long admitted)
      throws InterruptedException {
    if (!trial.policy().isCounted()) {
      return null;
    }
    RuleId rule = trial.rule().id();
    return cluster.awaitCounted(Map.of(rule, admitted)).getOrDefault(rule, 0L);
  }
}
