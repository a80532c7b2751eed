package io.quotaenforcer.bench.approximation;

import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota bench approximation}: the sliding-window counter against an exact log. */
@Command(
    name = "approximation",
    description = {
      "Decides 400,000,000 requests of 270,000 sources, and those of real logs, by the"
          + " sliding-window counter and by an exact log of requests.",
      "A minute is the period. Of a log, the limit is half of what its busiest host makes in one."
    })
public final class ApproximationCommand implements Callable<Integer> {
  private static final long PERIOD_NANOS = 60_000_000_000L;
  private static final long BURST_NANOS = 20_000_000_000L;

  /** Requests in bursts are one of so many. */
  private static final int BURSTS_SHARE = 10;

  private static final int SOURCES = 270_000;
  private static final long QUICK_REQUESTS = 4_000_000;

  /** The busiest 90 or so of the sources are above the limit, twice as many above half of it. */
  private static final double REQUESTS_PER_SECOND = 2_000;

  private static final long PERMITS = 100;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--quick", description = "4,000,000 requests, whatever --requests says.")
  private boolean quick;

  @Option(
      names = "--requests",
      defaultValue = "400000000",
      paramLabel = "N",
      description = "Synthetic requests. Default: ${DEFAULT-VALUE}.")
  private long requests;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "A real log, as for: quota backtest --log. Its sources are hosts; without hosts it is"
              + " one. May be repeated.")
  private List<Path> traces = List.of();

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "What requests are drawn from. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    json.check();
    PrintWriter err = spec.commandLine().getErr();
    List<Row> rows = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    if (traces.isEmpty()) {
      skipped.add("real logs: none is named by --trace FILE");
    }
    for (Path trace : traces) {
      if (Files.isRegularFile(trace)) {
        rows.addAll(ofTrace(read(trace)));
      } else {
        skipped.add("there is no real log " + trace);
      }
    }
    skipped.forEach(what -> err.println("SKIPPED: " + what));
    long count = quick ? QUICK_REQUESTS : requests;
    for (ZipfRequests synthetic :
        List.of(
            new ZipfRequests("synthetic, steady", SOURCES, count, REQUESTS_PER_SECOND, 0, seed),
            new ZipfRequests(
                "synthetic, in bursts",
                SOURCES,
                count / BURSTS_SHARE,
                REQUESTS_PER_SECOND,
                BURST_NANOS,
                seed))) {
      for (Counted counted : Counted.values()) {
        long started = System.nanoTime();
        Comparison comparison =
            Comparison.run(synthetic, new SlidingWindow(PERMITS, PERIOD_NANOS), counted);
        rows.add(comparison.all());
        rows.add(comparison.ofThoseThatReachHalf());
        err.println(
            "measured: %s, counted %s, in %.0f s"
                .formatted(synthetic.name(), counted, (System.nanoTime() - started) / 1e9));
        err.flush();
      }
    }
    new ApproximationText(spec.commandLine().getOut()).print(rows);
    json.write(() -> toJson(rows, skipped));
    return ExitCode.DONE;
  }

  private static List<Row> ofTrace(TraceRequests trace) {
    long permits = Math.max(1, trace.peak(PERIOD_NANOS) / 2);
    List<Row> rows = new ArrayList<>();
    for (Counted counted : Counted.values()) {
      rows.add(
          Comparison.run(trace, new SlidingWindow(permits, PERIOD_NANOS), counted)
              .ofThoseThatReachHalf());
    }
    return rows;
  }

  private static TraceRequests read(Path trace) {
    try {
      return TraceRequests.read(trace);
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  private Map<String, Object> toJson(List<Row> rows, List<String> skipped) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("seed", seed);
    all.put("rows", rows.stream().map(Row::toJson).toList());
    all.put("skipped", skipped);
    return all;
  }
}
