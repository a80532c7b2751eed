package io.quotaenforcer.bench.start;

import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.bench.options.OnlyOption;
import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota bench start}: how soon things are there, and how large they are. */
@Command(
    name = "start",
    description = {
      "Measures how soon an admission client in a new JVM has its first snapshot, and what a plain"
          + " consumer takes of it (client), how soon ./quota demo shows its first table (demo),"
          + " and the sizes of the jars (sizes)."
    })
public final class StartCommand implements Callable<Integer> {
  private static final int RUNS = 9;
  private static final int QUICK_RUNS = 3;
  private static final int MOST_RUNS = 1_000;

  /** A demo takes as long as some clients. */
  private static final int CLIENTS_FOR_A_DEMO = 3;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--quick", description = "Three clients and one demo.")
  private boolean quick;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Clients that are started, and three times as many as demos. Default: "
              + RUNS
              + "; with --quick, "
              + QUICK_RUNS
              + ".")
  private @Nullable Integer runs;

  @Mixin private final OnlyOption only = new OnlyOption();

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws Exception {
    int wanted = runs != null ? runs : quick ? QUICK_RUNS : RUNS;
    if (wanted < 1 || wanted > MOST_RUNS) {
      throw new CommandException(ExitCode.USAGE, "must be from 1 to 1000: --runs=" + wanted);
    }
    json.check();
    int demos = Math.max(1, wanted / CLIENTS_FOR_A_DEMO);
    StartResult result =
        new StartResult(
            only.wants("client") ? ClientStart.measure(wanted, this::progress) : null,
            only.wants("demo")
                ? DemoStart.measure(SourceTree.here().script(), demos, this::progress)
                : null,
            only.wants("sizes") ? Sizes.of(SourceTree.here()) : null);
    PrintWriter out = spec.commandLine().getOut();
    result.describe().forEach(out::println);
    out.flush();
    json.write(result::toJson);
    return ExitCode.DONE;
  }

  private void progress(String what) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(what);
    err.flush();
  }
}
