package io.quotaenforcer.bench.freshness;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.figures.Machine;
import io.quotaenforcer.bench.figures.Targets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench freshness}: how long the loop takes, leg by leg. */
@Command(
    name = "freshness",
    description = {
      "Measures how long it takes from a request that one instance admits until another one has"
          + " applied an answer that counts it, leg by leg, under a steady load that is leased;"
          + " what the same load costs on shares; and what idle instances cost."
    })
public final class FreshnessCommand extends Bench {
  private static final double MOST_MILLIS = 40;
  private static final double MOST_OF_LEASES = 0.5;
  private static final double MOST_IDLE_PERCENT = 5;
  private static final double MOST_IDLE_REPORTS = 2;
  private static final int MOST_INSTANCES = 1_000;
  private static final int MOST_WARM_UP_SECONDS = 3_600;
  private static final long SEED = 1;

  @Option(names = "--quick", description = "Some seconds of each: compilers are not done with it.")
  private boolean quick;

  @Option(
      names = "--instances",
      split = ",",
      paramLabel = "N",
      description = "How many instances, run by run. Default: 1,4,16; with --quick, 1,4.")
  private @Nullable List<Integer> instances;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description =
          "Of each run, before it counts: a few cores may need minutes to compile what 16"
              + " instances use. Default: 30; with --quick, 2.")
  private @Nullable Integer warmUp;

  @Option(names = "--no-idle", description = "Leaves idle instances out.")
  private boolean noIdle;

  private record Figures(
      Machine machine,
      FreshnessScale.Described configuration,
      List<LoopTimes> loop,
      @Nullable IdleClients idle,
      @JsonUnwrapped Targets targets) {}

  @Override
  protected void check() {
    scale();
  }

  @Override
  protected Object measure() throws Exception {
    FreshnessScale scale = scale();
    Targets targets = new Targets();
    if (quick) {
      out().println("quick: compilers take a large part of it");
    }
    PacedRun run = new PacedRun(scale, SEED);
    List<LoopTimes> all = new ArrayList<>();
    for (int count : scale.instances()) {
      say("%d instances for %d s".formatted(count, scale.warmUpSeconds() + scale.seconds()));
      LoopTimes leased = run.run(count, false);
      print(leased.describe());
      all.add(leased);
      targets.atMost(
          "ms, p99 of %d instances".formatted(count), leased.totalMillis().p99(), MOST_MILLIS);
      LoopTimes shared = run.run(count, true);
      print(shared.describe());
      all.add(shared);
      addCost(targets, count, shared.cost(), leased.cost());
    }
    IdleClients idle = null;
    if (!noIdle) {
      say("idle instances");
      idle = IdleClients.measure(scale.settleSeconds(), scale.idleSeconds());
      print(idle.describe());
      targets.atMost(
          "%% of a core for %d idle instances".formatted(FreshnessScale.IDLE_INSTANCES),
          idle.clientsPercent(),
          MOST_IDLE_PERCENT);
      targets.atMost(
          "reports/s of an idle instance", idle.reportsPerSecondOfEach(), MOST_IDLE_REPORTS);
    }
    out().println();
    print(targets.describe());
    return new Figures(Machine.here(), scale.describe(), all, idle, targets);
  }

  /** Most that steady load may cost on shares, of what it costs on leases. */
  private static void addCost(Targets targets, int count, LoopCost shares, LoopCost leases) {
    targets.atMost(
        "reports on shares to those on leases, %d instances".formatted(count),
        shares.reportsPerSecond() / leases.reportsPerSecond(),
        MOST_OF_LEASES);
    targets.atMost(
        "snapshots on shares to those on leases, %d instances".formatted(count),
        shares.snapshotsPerSecond() / leases.snapshotsPerSecond(),
        MOST_OF_LEASES);
    targets.atMost(
        "processor time of the enforcer on shares to that on leases, %d instances".formatted(count),
        shares.enforcerCpuSecondsOfMillionRequests() / leases.enforcerCpuSecondsOfMillionRequests(),
        MOST_OF_LEASES);
  }

  private FreshnessScale scale() {
    FreshnessScale scale = quick ? FreshnessScale.QUICK : FreshnessScale.FULL;
    if (warmUp != null) {
      require(
          warmUp >= 0 && warmUp <= MOST_WARM_UP_SECONDS,
          "must be from 0 to %d: --warm-up=%d",
          MOST_WARM_UP_SECONDS,
          warmUp);
      scale = scale.withWarmUp(warmUp);
    }
    if (instances == null) {
      return scale;
    }
    require(
        instances.stream().allMatch(count -> count >= 1 && count <= MOST_INSTANCES),
        "must each be from 1 to %d: --instances",
        MOST_INSTANCES);
    return scale.withInstances(instances);
  }
}
