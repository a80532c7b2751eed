package io.quotaenforcer.bench.matching;

import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.PrintWriter;
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

/** {@code quota bench matching}: time and allocation of a match with few rules and with many. */
@Command(
    name = "matching",
    description = {
      "Measures what it costs to find the rules that match a request, among 10 to 10,000 rules of a"
          + " gateway.",
      "Every number of rules is warmed up before any is measured."
    })
public final class MatchingCommand implements Callable<Integer> {
  private static final List<Integer> COUNTS = List.of(10, 100, 1_000, 10_000);
  private static final long SEED = 1;
  private static final double NANOS_PER_SECOND = 1e9;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--seconds",
      defaultValue = "3",
      paramLabel = "S",
      description = "For each number of rules, and as much to warm up. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    if (!(seconds > 0 && seconds <= 3_600)) {
      throw new CommandException(
          ExitCode.USAGE, "must be above 0 and at most 3600: --seconds=" + seconds);
    }
    json.check();
    long nanos = (long) (seconds * NANOS_PER_SECOND);
    List<MatchingRun> runs = COUNTS.stream().map(count -> new MatchingRun(count, SEED)).toList();
    runs.forEach(run -> run.warmUp(nanos));
    List<MatchingRow> rows = new ArrayList<>();
    runs.forEach(run -> rows.add(run.run(nanos)));
    print(rows);
    json.write(() -> toJson(rows));
    return ExitCode.DONE;
  }

  private void print(List<MatchingRow> rows) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(" rules   ns/match   B/match   rules matched   scan ns/match   index ms");
    for (MatchingRow row : rows) {
      out.println(
          "%,6d %,10.0f %,9.0f %15.2f %,15.0f %10.1f"
              .formatted(
                  row.rules(),
                  row.nanos(),
                  row.bytes(),
                  row.matches(),
                  row.scanNanos(),
                  row.indexMillis()));
    }
    out.println(
        "a match among %,d rules takes %.1f times as long as among %d"
            .formatted(last(rows).rules(), ratio(rows), rows.get(0).rules()));
    out.flush();
  }

  private static Map<String, Object> toJson(List<MatchingRow> rows) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("rows", rows.stream().map(MatchingRow::toJson).toList());
    result.put("ratio", ratio(rows));
    return result;
  }

  private static double ratio(List<MatchingRow> rows) {
    return last(rows).nanos() / rows.get(0).nanos();
  }

  private static MatchingRow last(List<MatchingRow> rows) {
    return rows.get(rows.size() - 1);
  }
}
