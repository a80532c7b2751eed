package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import io.quotaenforcer.enforcer.cli.Json;
import io.quotaenforcer.enforcer.cli.JsonFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota bench accuracy}: over-admission and under-use of allotments and of other ways. */
@Command(
    name = "accuracy",
    description = {
      "Measures over-admission and under-use of allotments, and of other ways of deciding, under"
          + " the same simulated load and network.",
      "Rows that miss their target are listed at the end; the exit code is 0 all the same."
    })
public final class AccuracyCommand implements Callable<Integer> {
  private static final int QUICK_SEEDS = 3;
  private static final int QUICK_WINDOWS = 20;
  private static final double QUICK_SECONDS = 20;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--quick",
      description = "3 seeds x 20 windows, of long windows only what 20 s hold, but 3 of them.")
  private boolean quick;

  @Option(
      names = "--seeds",
      defaultValue = "20",
      paramLabel = "N",
      description = "Runs per row. Default: ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = "--windows",
      defaultValue = "100",
      paramLabel = "N",
      description = "Windows per run, after two that warm up. Default: ${DEFAULT-VALUE}.")
  private int windows;

  @Option(
      names = "--only",
      defaultValue = "",
      paramLabel = "TEXT",
      description = "Only scenarios whose name holds this.")
  private String only = "";

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the rows to this file.")
  private @Nullable Path json;

  @Override
  public Integer call() {
    if (seeds < 1 || windows < 1) {
      throw new CommandException(
          ExitCode.USAGE, "must be >= 1: --seeds=%d --windows=%d".formatted(seeds, windows));
    }
    if (json != null) {
      JsonFile.checkWritable(json);
    }
    Measurement measurement =
        quick
            ? new Measurement(QUICK_SEEDS, QUICK_WINDOWS, QUICK_SECONDS)
            : new Measurement(seeds, windows, Double.MAX_VALUE);
    List<Row> rows = new ArrayList<>();
    PrintWriter err = spec.commandLine().getErr();
    Scenario.all().stream()
        .filter(scenario -> scenario.name().contains(only))
        .toList()
        .parallelStream()
        .map(measurement::run)
        .peek(some -> err.println("measured: " + some.get(0).scenario().name()))
        .toList()
        .forEach(rows::addAll);
    List<Row> missed = rows.stream().filter(row -> !row.missed().isEmpty()).toList();
    new RowsText(spec.commandLine().getOut()).print(rows, missed);
    if (json != null) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("rows", rows.stream().map(Row::toJson).toList());
      result.put("short", missed.stream().map(Row::toShortJson).toList());
      JsonFile.write(json, Json.write(result));
    }
    return ExitCode.DONE;
  }
}
