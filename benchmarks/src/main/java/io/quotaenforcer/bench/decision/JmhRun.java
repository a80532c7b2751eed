package io.quotaenforcer.bench.decision;

import io.quotaenforcer.bench.decision.timed.LiveBenchmark;
import io.quotaenforcer.bench.decision.timed.NewUsers;
import io.quotaenforcer.bench.jmh.Jmh;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/** Has JMH time one limiter in one case. */
record JmhRun(Effort effort, Jmh jmh) {
  private static final String UNEXPECTED = "unexpected";
  private static final String PROCESSOR_NANOS = "processorNanos";
  private static final int FIRST_JAVA_THAT_WARNS = 24;

  /**
   * Times it.
   *
   * @param servers of a broker, if it needs one
   */
  Timing time(Measured measured, int threads, String servers) {
    boolean batches = measured.group().isInBatches();
    ChainedOptionsBuilder options =
        Jmh.options(measured.type(), measured.method(), effort.iterations())
            .threads(threads)
            .jvmArgs(jvmArguments(servers));
    if (batches) {
      options
          .mode(Mode.SingleShotTime)
          .warmupIterations(effort.batches())
          .warmupBatchSize(NewUsers.BATCH)
          .measurementIterations(effort.batches())
          .measurementBatchSize(NewUsers.BATCH);
    }
    RunResult result = jmh.time(measured.name(), options);
    return timing(measured, threads, result, batches ? NewUsers.BATCH : 1);
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
                // Where it writes what it cannot be kept from writing.
                "-Dcsp.sentinel.log.dir=" + jmh.folder(),
                "-DEAGLEEYE.LOG.PATH=" + jmh.folder(),
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
    // What is prepared for a batch takes processor time, too.
    double processor = batch > 1 ? Double.NaN : Double.MAX_VALUE;
    for (IterationResult iteration : result.getAggregatedResult().getIterationResults()) {
      raw.add(iteration.getPrimaryResult().getScore() / batch);
      unexpected += Jmh.score(iteration.getSecondaryResults().get(UNEXPECTED));
      double worked = Jmh.score(iteration.getSecondaryResults().get(PROCESSOR_NANOS));
      processor = Math.min(processor, worked / iteration.getMetadata().getAllOps());
      requests += iteration.getMetadata().getMeasuredOps() * batch;
    }
    return new Timing(
        measured,
        threads,
        result.getPrimaryResult().getScore() / batch,
        raw,
        processor,
        Jmh.bytes(result) / batch,
        unexpected / Math.max(1, requests));
  }
}
