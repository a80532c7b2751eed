package io.quotaenforcer.bench.simulate;

import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota bench simulate}: the promises under faults that are drawn from seeds. */
@Command(
    name = "simulate",
    description = {
      "Runs the ledger and allotments under a simulated network, clocks and crashes, a run per seed,"
          + " and checks the promises.",
      "Exit code 1 when one was broken; each failing seed is printed with the command that runs it"
          + " again."
    })
public final class SimulateCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--seeds",
      defaultValue = "1000",
      paramLabel = "N",
      description = "How many. Default: ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = "--first",
      defaultValue = "0",
      paramLabel = "SEED",
      description = "The first of them. Default: ${DEFAULT-VALUE}.")
  private long first;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws InterruptedException {
    if (seeds < 1) {
      throw new CommandException(ExitCode.USAGE, "must be >= 1: --seeds=" + seeds);
    }
    json.check();
    PrintWriter out = spec.commandLine().getOut();
    SeedTally tally = new SeedTally(out, spec.commandLine().getErr(), first, seeds);
    new Seeds(first, seeds, Runtime.getRuntime().availableProcessors()).run(tally::add);
    tally.print();
    json.write(tally::toJson);
    return tally.isKept() ? ExitCode.DONE : ExitCode.FAILED;
  }
}
