package io.quotaenforcer.bench.algorithms;

import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.jmh.Jmh;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.cli.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench algorithms}: what each algorithm costs. */
@Command(
    name = "algorithms",
    description = {
      "Measures each algorithm: the time to decide and book a request at twice the limit, and the"
          + " bytes of a quota key in the enforcer's store.",
      "Times are by JMH, and depend on the machine; bytes do not."
    })
public final class AlgorithmsCommand extends Bench {
  private static final Jmh.Iterations FULL = new Jmh.Iterations(5, 7, 300);
  private static final Jmh.Iterations QUICK = new Jmh.Iterations(5, 7, 3);

  @Option(
      names = "--quick",
      description =
          "A hundredth of the time, all in this process: compilers are not done with it, and figures"
              + " vary.")
  private boolean quick;

  private record Figures(List<AlgorithmCost> algorithms, double clientDecisionNanos) {}

  @Override
  protected Object measure() {
    List<AlgorithmCost> costs = new ArrayList<>();
    double client;
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-algorithms-")) {
      Jmh jmh = new Jmh(folder.path(), this::say);
      List<MeasuredLimit> limits = MeasuredLimit.all();
      for (int i = 0; i < limits.size(); i++) {
        ChainedOptionsBuilder options = options("decide").param("limit", Integer.toString(i));
        String name = limits.get(i).name();
        costs.add(AlgorithmCost.of(limits.get(i), nanos(jmh, name, options)));
        say("measured: " + name);
      }
      client = nanos(jmh, "a client's decision", options("client"));
    }
    print(table(costs));
    out().println();
    out()
        .println(
            "a client's decision on permits that it holds by a lease, with any of them: %.0f ns"
                .formatted(client));
    return new Figures(costs, client);
  }

  private ChainedOptionsBuilder options(String method) {
    return Jmh.options(AlgorithmBenchmark.class, method, quick ? QUICK : FULL).forks(quick ? 0 : 1);
  }

  private static double nanos(Jmh jmh, String name, ChainedOptionsBuilder options) {
    return jmh.time(name, options).getPrimaryResult().getScore();
  }

  private static List<String> table(List<AlgorithmCost> costs) {
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
    return table.lines();
  }
}
