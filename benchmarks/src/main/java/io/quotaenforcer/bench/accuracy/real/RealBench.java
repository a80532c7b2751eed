package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.central.CentralStoreProcess;
import io.quotaenforcer.bench.accuracy.instance.InstanceLog;
import io.quotaenforcer.bench.accuracy.instance.Site;
import io.quotaenforcer.bench.accuracy.instance.Trial;
import io.quotaenforcer.bench.accuracy.instance.TrueTime;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Trials one after the other, on one broker, one enforcer and one central store. Trials that cannot
 * share a fleet are not run in the order in which they are given, but are returned in it.
 */
public final class RealBench {
  /** As many as there are instances: what shared openings and local shares are divided by. */
  static final int MAX_INSTANCES = 8;

  private static final int WARM_UP_SECONDS = 1;

  /** Processes that all compile at once take longer to become quick. */
  private static final int OWN_JVMS_WARM_UP_SECONDS = 6;

  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long COUNT_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long COUNT_POLL_MILLIS = 20;

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
    Map<Fleet.Kind, List<Trial>> byFleet = new LinkedHashMap<>();
    for (Trial trial : trials) {
      byFleet.computeIfAbsent(Fleet.Kind.of(trial), kind -> new ArrayList<>()).add(trial);
    }
    byFleet.forEach((kind, together) -> together.add(0, warmUp(kind)));
    List<Trial> all = byFleet.values().stream().flatMap(List::stream).toList();
    Map<Trial, RealRow> rows = new LinkedHashMap<>();
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(
                MAX_INSTANCES,
                all.stream().map(Trial::rule).toList(),
                EmbeddedCluster.settings(time::epochNanos));
        CentralStoreProcess store = CentralStoreProcess.start()) {
      Site site = Site.of(cluster.bootstrapServers(), store.port(), all);
      for (List<Trial> together : byFleet.values()) {
        run(together, site, cluster, rows);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the central store", e);
    }
    return trials.stream().map(rows::get).toList();
  }

  private void run(
      List<Trial> together, Site site, EmbeddedCluster cluster, Map<Trial, RealRow> rows)
      throws InterruptedException {
    try (Fleet fleet = fleet(together, site)) {
      for (Trial trial : together) {
        fleet.prepare(trial);
        long start = start(trial);
        List<InstanceLog> logs = fleet.run(trial, start);
        if (trial.scenario() != Trial.WARM_UP) {
          Figures figures = RealJudge.judge(trial, start, logs);
          RealRow row = new RealRow(trial, figures, counted(cluster, trial, figures.admitted()));
          rows.put(trial, row);
          progress.accept(row);
        }
      }
    }
  }

  private Fleet fleet(List<Trial> together, Site site) {
    int size =
        together.stream().mapToInt(trial -> trial.scenario().instances()).max().orElseThrow();
    return together.get(0).jvms() == Trial.Jvms.ONE
        ? new JvmFleet(site, size, time)
        : new ProcessFleet(site, size);
  }

  /** A border of the trial's windows soon. */
  private long start(Trial trial) {
    long period = trial.scenario().limit().periodNanos();
    return (Math.floorDiv(time.epochNanos() + LEAD_NANOS, period) + 1) * period;
  }

  private Trial warmUp(Fleet.Kind kind) {
    int seconds = kind.jvms() == Trial.Jvms.OWN ? OWN_JVMS_WARM_UP_SECONDS : WARM_UP_SECONDS;
    return new Trial(Trial.WARM_UP, kind.warmUp(), kind.jvms(), seconds, trials.get(0).seed());
  }

  /** What the enforcer counted, once that is what was admitted, or the time is up. */
  private static OptionalLong counted(EmbeddedCluster cluster, Trial trial, long admitted)
      throws InterruptedException {
    if (!trial.policy().isCounted()) {
      return OptionalLong.empty();
    }
    RuleId rule = trial.rule().id();
    long deadline = System.nanoTime() + COUNT_TIMEOUT_NANOS;
    long counted = cluster.counted().getOrDefault(rule, 0L);
    while (counted != admitted && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(COUNT_POLL_MILLIS);
      counted = cluster.counted().getOrDefault(rule, 0L);
    }
    return OptionalLong.of(counted);
  }
}
