package io.quotaenforcer.bench.decision;

import io.quotaenforcer.bench.decision.timed.BenchRules;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.bench.options.OnlyOption;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
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

/** {@code quota bench decision}: what a decision costs, beside other limiters. */
@Command(
    name = "decision",
    description = {
      "Times decisions of this library and of Guava's RateLimiter, resilience4j, bucket4j and"
          + " Sentinel, by JMH with its GC profiler, each in a JVM of its own.",
      "Runs differ by a factor of two on a busy machine: what counts is the ratio to the fastest"
          + " peer of the same run."
    })
public final class DecisionCommand implements Callable<Integer> {
  private static final int MAX_INSTANCES = 8;
  private static final int MOST_THREADS = 64;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--quick",
      description =
          "Only what targets depend on, in a quarter of the time: compilers are hardly done.")
  private boolean quick;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2",
      paramLabel = "N",
      description = "Threads that ask at once. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<Integer> threads;

  @Mixin private final OnlyOption only = new OnlyOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws InterruptedException {
    for (int count : threads) {
      if (count < 1 || count > MOST_THREADS) {
        throw new CommandException(
            ExitCode.USAGE, "must be 1 to %d: --threads=%d".formatted(MOST_THREADS, count));
      }
    }
    json.check();
    List<Measured> wanted =
        Measured.all().stream().filter(measured -> only.wants(measured.name())).toList();
    // JMH would refuse to run beside another one, also of another user.
    System.setProperty("jmh.ignoreLock", "true");
    Effort effort = quick ? Effort.QUICK : Effort.FULL;
    Timings timings;
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-decision-");
        Servers servers = new Servers()) {
      JmhRun jmh = new JmhRun(effort, folder.path(), this::say);
      List<Timing> done = new ArrayList<>();
      for (int count : threads) {
        for (Measured measured : wanted) {
          if (!quick || measured.isForTarget(count)) {
            say("timing: %s, threads: %d".formatted(measured.name(), count));
            done.add(jmh.time(measured, count, measured.isLive() ? servers.address() : ""));
          }
        }
      }
      timings = new Timings(done);
    }
    Targets targets = timings.targets();
    PrintWriter out = spec.commandLine().getOut();
    timings.describe().forEach(out::println);
    targets.describe().forEach(out::println);
    out.flush();
    json.write(() -> toJson(effort, timings, targets));
    return ExitCode.DONE;
  }

  private static Map<String, Object> toJson(Effort effort, Timings timings, Targets targets) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("java", Runtime.version().toString());
    result.put("cores", Runtime.getRuntime().availableProcessors());
    result.put("effort", effort.toJson());
    result.put("configurations", Measured.configurations());
    result.put("timings", timings.all().stream().map(Timing::toJson).toList());
    targets.writeTo(result);
    return result;
  }

  private void say(String what) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(what);
    err.flush();
  }

  /** A broker and an enforcer in this process, from when they are first needed. */
  private static final class Servers implements AutoCloseable {
    private @Nullable EmbeddedCluster cluster;

    String address() throws InterruptedException {
      if (cluster == null) {
        cluster =
            EmbeddedCluster.start(
                MAX_INSTANCES,
                BenchRules.live(),
                EmbeddedCluster.settings(Clocks.system().epochNanos()));
      }
      return cluster.bootstrapServers();
    }

    @Override
    public void close() {
      if (cluster != null) {
        cluster.close();
      }
    }
  }
}
