package io.quotaenforcer.lab.command;

import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes the place of {@code quota bench} if the benchmarks are not built. */
@Command(
    name = "bench",
    description = {
      "Measures and tests this program itself: simulate, explore, accuracy, sparse and others.",
      "./quota bench --help builds the benchmarks and lists them."
    })
final class BenchCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "NAME [OPTION...]",
      description = "A benchmark and its options.")
  private List<String> arguments = new ArrayList<>();

  static CommandLine create() {
    return new CommandLine(new BenchCommand()).setUnmatchedOptionsArePositionalParams(true);
  }

  @Override
  public Integer call() {
    throw new CommandException(
        ExitCode.USAGE,
        "the benchmarks are not part of this program; run in its sources: ./quota bench "
            + String.join(" ", arguments));
  }
}
