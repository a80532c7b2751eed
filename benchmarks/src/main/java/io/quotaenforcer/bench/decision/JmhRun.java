package io.quotaenforcer.bench.decision;

import io.quotaenforcer.bench.decision.timed.LiveBenchmark;
import io.quotaenforcer.bench.decision.timed.NewUsers;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Has JMH time one limiter in one case, in a JVM of its own. */
final class JmhRun {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final String UNEXPECTED = "unexpected";
  private static final int FIRST_JAVA_THAT_WARNS = 24;

  private final Effort effort;
  private final Path folder;
  private final Consumer<String> complaints;

  /**
   * @param folder where peers may write what they cannot be kept from writing
   * @param complaints of JMH, and of what it runs
   */
  JmhRun(Effort effort, Path folder, Consumer<String> complaints) {
    this.effort = effort;
    this.folder = folder;
    this.complaints = complaints;
  }

  /**
   * Times it.
   *
   * @param servers of a broker, if it needs one
   */
  Timing time(Measured measured, int threads, String servers) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(measured.benchmark()) + "$")
            .timeUnit(TimeUnit.NANOSECONDS)
            .forks(1)
            .threads(threads)
            .jvmArgs(jvmArguments(servers))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true);
    boolean batches = measured.group().isInBatches();
    if (batches) {
      options
          .mode(Mode.SingleShotTime)
          .warmupIterations(effort.batches())
          .warmupBatchSize(NewUsers.BATCH)
          .measurementIterations(effort.batches())
          .measurementBatchSize(NewUsers.BATCH);
    } else {
      TimeValue iteration = TimeValue.milliseconds(effort.iterationMillis());
      options
          .mode(Mode.AverageTime)
          .warmupIterations(effort.warmUps())
          .warmupTime(iteration)
          .measurementIterations(effort.iterations())
          .measurementTime(iteration);
    }
    QuietOutput output = new QuietOutput();
    try {
      Collection<RunResult> results = new Runner(options.build(), output).run();
      if (results.size() != 1) {
        throw new CommandException(
            ExitCode.FAILED, "JMH does not know " + measured.benchmark() + ": build again");
      }
      return timing(measured, threads, results.iterator().next(), batches ? NewUsers.BATCH : 1);
    } catch (RunnerException e) {
      output.lines().forEach(complaints);
      throw new CommandException(
          ExitCode.FAILED, "could not time " + measured.name() + ": " + e.getMessage());
    }
  }

  private String[] jvmArguments(String servers) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-Xms1g",
                "-Xmx1g",
                "-Dcsp.sentinel.metric.flush.interval=0",
                "-Dcsp.sentinel.log.output.type=console",
                "-Dcsp.sentinel.log.level=OFF",
                "-Dcsp.sentinel.log.dir=" + folder,
                "-DEAGLEEYE.LOG.PATH=" + folder,
                "-D" + LiveBenchmark.SERVERS + "=" + servers));
    if (Runtime.version().feature() >= FIRST_JAVA_THAT_WARNS) {
      arguments.add("--sun-misc-unsafe-memory-access=allow");
    }
    return arguments.toArray(String[]::new);
  }

  private static Timing timing(Measured measured, int threads, RunResult result, int batch) {
    // JMH takes a batch for one operation.
    List<Double> raw = new ArrayList<>();
    double unexpected = 0;
    long requests = 0;
    for (IterationResult iteration : result.getAggregatedResult().getIterationResults()) {
      raw.add(iteration.getPrimaryResult().getScore() / batch);
      unexpected += score(iteration.getSecondaryResults().get(UNEXPECTED));
      requests += iteration.getMetadata().getMeasuredOps() * batch;
    }
    return new Timing(
        measured,
        threads,
        result.getPrimaryResult().getScore() / batch,
        raw,
        score(result.getSecondaryResults().get(ALLOCATED)) / batch,
        unexpected / Math.max(1, requests));
  }

  private static double score(@Nullable Result<?> result) {
    return result == null ? Double.NaN : result.getScore();
  }
}
