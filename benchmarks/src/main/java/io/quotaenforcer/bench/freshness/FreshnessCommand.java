package io.quotaenforcer.bench.freshness;

import io.quotaenforcer.bench.figures.Machine;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota bench freshness}: how long the loop takes, leg by leg. */
@Command(
    name = "freshness",
    description = {
      "Measures how long it takes from a request that one instance admits until another one has"
          + " applied an answer that counts it, leg by leg, under a steady load; and what idle"
          + " instances cost."
    })
public final class FreshnessCommand implements Callable<Integer> {
  private static final double MOST_MILLIS = 40;
  private static final double MOST_IDLE_PERCENT = 5;
  private static final double MOST_IDLE_REPORTS = 2;
  private static final int MOST_INSTANCES = 1_000;
  private static final int MOST_WARM_UP_SECONDS = 3_600;
  private static final long SEED = 1;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--quick", description = "Some seconds of each: compilers are not done with it.")
  private boolean quick;

  @Option(
      names = "--instances",
      split = ",",
      paramLabel = "N",
      description = "So many instances, run by run. Default: 1,4,16; with --quick, 1,4.")
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

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws Exception {
    FreshnessScale scale = scale();
    json.check();
    Targets targets = new Targets();
    PrintWriter out = spec.commandLine().getOut();
    if (quick) {
      out.println("quick: compilers take a large part of it");
    }
    PacedRun run = new PacedRun(scale, SEED);
    List<LoopTimes> all = new ArrayList<>();
    for (int count : scale.instances()) {
      progress("%d instances for %d s".formatted(count, scale.warmUpSeconds() + scale.seconds()));
      LoopTimes times = run.run(count);
      times.describe().forEach(out::println);
      out.flush();
      all.add(times);
      targets.atMost("ms, p99 of %d instances".formatted(count), times.millisAt(99), MOST_MILLIS);
    }
    IdleClients idle = null;
    if (!noIdle) {
      progress("idle instances");
      idle = IdleClients.measure(scale.settleSeconds(), scale.idleSeconds());
      idle.describe().forEach(out::println);
      targets.atMost(
          "%% of a core for %d idle instances".formatted(FreshnessScale.IDLE_INSTANCES),
          idle.clientsPercent(),
          MOST_IDLE_PERCENT);
      targets.atMost("reports/s of an idle instance", idle.reportsPerSecond(), MOST_IDLE_REPORTS);
    }
    out.println();
    targets.describe().forEach(out::println);
    out.flush();
    IdleClients measured = idle;
    json.write(() -> toJson(scale, all, measured, targets));
    return ExitCode.DONE;
  }

  private FreshnessScale scale() {
    FreshnessScale scale = quick ? FreshnessScale.QUICK : FreshnessScale.FULL;
    if (warmUp != null) {
      if (warmUp < 0 || warmUp > MOST_WARM_UP_SECONDS) {
        throw new CommandException(
            ExitCode.USAGE,
            "must be from 0 to %d: --warm-up=%d".formatted(MOST_WARM_UP_SECONDS, warmUp));
      }
      scale = scale.withWarmUp(warmUp);
    }
    if (instances == null) {
      return scale;
    }
    if (instances.stream().anyMatch(count -> count < 1 || count > MOST_INSTANCES)) {
      throw new CommandException(
          ExitCode.USAGE, "must each be from 1 to %d: --instances".formatted(MOST_INSTANCES));
    }
    return scale.withInstances(instances);
  }

  private void progress(String what) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(what);
    err.flush();
  }

  private static Map<String, Object> toJson(
      FreshnessScale scale, List<LoopTimes> all, @Nullable IdleClients idle, Targets targets) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("machine", Machine.here().toJson());
    json.put("configuration", scale.toJson());
    json.put("loop", all.stream().map(LoopTimes::toJson).toList());
    if (idle != null) {
      json.put("idle", idle.toJson());
    }
    targets.writeTo(json);
    return json;
  }
}
