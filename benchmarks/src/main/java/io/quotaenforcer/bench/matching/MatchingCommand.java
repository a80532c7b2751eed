package io.quotaenforcer.bench.matching;

import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.jmh.Jmh;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.cli.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench matching}: time and allocation of a match with few rules and with many. */
@Command(
    name = "matching",
    description = {
      "Measures what it costs to find the rules that match a request, among 10 to 10,000 rules of a"
          + " gateway, by JMH, each number of rules in a JVM of its own."
    })
public final class MatchingCommand extends Bench {
  private static final int ITERATIONS = 5;

  @Option(
      names = "--seconds",
      defaultValue = "3",
      paramLabel = "S",
      description = "For each number of rules, and as much to warm up. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  /**
   * The cost of matching among {@code rules} rules.
   *
   * @param nanosPerMatch by the index
   * @param bytesPerMatch allocated
   * @param rulesThatMatch on average
   * @param scanNanosPerMatch when every rule is tried
   * @param indexMillis to make the index
   */
  private record Row(
      int rules,
      double nanosPerMatch,
      double bytesPerMatch,
      double rulesThatMatch,
      double scanNanosPerMatch,
      double indexMillis) {}

  private record Figures(List<Row> rows, double ratio) {}

  @Override
  protected void check() {
    require(
        seconds > 0 && seconds <= 3_600, "must be above 0 and at most 3600: --seconds=%s", seconds);
  }

  @Override
  protected Object measure() {
    List<Row> rows = new ArrayList<>();
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-matching-")) {
      Jmh jmh = new Jmh(folder.path(), this::say);
      for (int rules : MatchingBenchmark.RULES) {
        say("timing: %,d rules".formatted(rules));
        RunResult index = time(jmh, "byIndex", rules);
        rows.add(
            new Row(
                rules,
                index.getPrimaryResult().getScore(),
                Jmh.bytes(index),
                MatchingBenchmark.matches(rules),
                time(jmh, "byScan", rules).getPrimaryResult().getScore(),
                MatchingBenchmark.indexMillis(rules)));
      }
    }
    Row few = rows.get(0);
    Row many = rows.get(rows.size() - 1);
    double ratio = many.nanosPerMatch() / few.nanosPerMatch();
    print(table(rows));
    out()
        .println(
            "a match among %,d rules takes %.1f times as long as among %d"
                .formatted(many.rules(), ratio, few.rules()));
    return new Figures(rows, ratio);
  }

  private RunResult time(Jmh jmh, String method, int rules) {
    int millis = (int) Math.ceil(seconds * 1_000 / ITERATIONS);
    Jmh.Iterations iterations = new Jmh.Iterations(ITERATIONS, ITERATIONS, millis);
    return jmh.time(
        "a match " + method,
        Jmh.options(MatchingBenchmark.class, method, iterations)
            .param("rules", Integer.toString(rules)));
  }

  private static List<String> table(List<Row> rows) {
    TextTable table =
        TextTable.ofFigures(
            "rules", "ns/match", "B/match", "rules matched", "scan ns/match", "index ms");
    for (Row row : rows) {
      table.row(
          "%,d".formatted(row.rules()),
          "%,.0f".formatted(row.nanosPerMatch()),
          "%,.0f".formatted(row.bytesPerMatch()),
          "%.2f".formatted(row.rulesThatMatch()),
          "%,.0f".formatted(row.scanNanosPerMatch()),
          "%.1f".formatted(row.indexMillis()));
    }
    return table.lines();
  }
}
