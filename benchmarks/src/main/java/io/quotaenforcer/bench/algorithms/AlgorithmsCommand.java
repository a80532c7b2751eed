package io.quotaenforcer.bench.algorithms;

import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.PrintWriter;
import java.time.Duration;
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

/** {@code quota bench algorithms}: what each algorithm costs. */
@Command(
    name = "algorithms",
    description = {
      "Measures each algorithm: the time to decide and book a request at twice the limit, and the"
          + " bytes of a quota key in the enforcer's store.",
      "Times are processor time of one thread, and depend on the machine; bytes do not."
    })
public final class AlgorithmsCommand implements Callable<Integer> {
  private static final Duration ROUND = Duration.ofMillis(300);
  private static final Duration QUICK_ROUND = Duration.ofMillis(3);

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--quick",
      description = "A hundredth of the time: compilers are not done with it, and figures vary.")
  private boolean quick;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    json.check();
    Stopwatch stopwatch = new Stopwatch((quick ? QUICK_ROUND : ROUND).toNanos());
    PrintWriter err = spec.commandLine().getErr();
    List<AlgorithmCost> costs = new ArrayList<>();
    for (MeasuredLimit measured : MeasuredLimit.all()) {
      costs.add(AlgorithmCost.measure(measured, stopwatch));
      err.println("measured: " + measured.name());
      err.flush();
    }
    Limit large = new FixedWindow(Limit.MAX_PERMITS, Duration.ofDays(1).toNanos());
    double client = AlgorithmCost.clientNanos(large, stopwatch);
    print(costs, client);
    json.write(() -> toJson(costs, client));
    return ExitCode.DONE;
  }

  private void print(List<AlgorithmCost> costs, double client) {
    PrintWriter out = spec.commandLine().getOut();
    TextTable table =
        TextTable.ofFigures(
            "algorithm", "ns per decision", "bytes, used once", "bytes, 8 busy instances");
    for (AlgorithmCost cost : costs) {
      table.row(
          cost.name(),
          "%.0f".formatted(cost.decisionNanos()),
          cost.rowBytes(),
          cost.busyRowBytes());
    }
    table.lines().forEach(out::println);
    out.println();
    out.println(
        "a client's decision on permits that it holds by a lease, with any of them: %.0f ns"
            .formatted(client));
    out.flush();
  }

  private static Map<String, Object> toJson(List<AlgorithmCost> costs, double client) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("algorithms", costs.stream().map(AlgorithmCost::toJson).toList());
    all.put("clientDecisionNanos", client);
    return all;
  }
}
