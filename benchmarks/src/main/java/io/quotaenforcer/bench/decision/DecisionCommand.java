package io.quotaenforcer.bench.decision;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.command.OnlyOption;
import io.quotaenforcer.bench.decision.timed.BenchRules;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.bench.jmh.Jmh;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quota bench decision}: what a decision costs, beside other limiters. */
@Command(
    name = "decision",
    description = {
      "Times decisions of this library and of Guava's RateLimiter, resilience4j, bucket4j and"
          + " Sentinel, by JMH with its GC profiler, each in a JVM of its own.",
      "Runs differ by a factor of two on a busy machine: what counts is the ratio to the fastest"
          + " peer of the same run."
    })
public final class DecisionCommand extends Bench {
  private static final int MAX_INSTANCES = 8;
  private static final int MOST_THREADS = 64;

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

  private record Figures(
      String java,
      int cores,
      Effort effort,
      Map<String, Object> configurations,
      List<Timing> timings,
      @JsonUnwrapped Targets targets) {}

  @Override
  protected void check() {
    for (int count : threads) {
      require(
          count >= 1 && count <= MOST_THREADS,
          "must be 1 to %d: --threads=%d",
          MOST_THREADS,
          count);
    }
  }

  @Override
  protected Object measure() throws InterruptedException {
    List<Measured> wanted =
        Measured.all().stream().filter(measured -> only.wants(measured.name())).toList();
    Effort effort = quick ? Effort.QUICK : Effort.FULL;
    Timings timings;
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-decision-");
        Servers servers = new Servers()) {
      JmhRun jmh = new JmhRun(effort, new Jmh(folder.path(), this::say));
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
    print(timings.describe());
    print(targets.describe());
    return new Figures(
        Runtime.version().toString(),
        Runtime.getRuntime().availableProcessors(),
        effort,
        Measured.configurations(),
        timings.all(),
        targets);
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
