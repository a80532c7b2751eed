package io.quotaenforcer.bench.simulate;

import io.quotaenforcer.bench.command.Bench;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench simulate}: the promises under faults that are drawn from seeds. */
@Command(
    name = "simulate",
    description = {
      "Runs the ledger and allotments under a simulated network, clocks and crashes, a run per seed,"
          + " and checks the promises.",
      "Exit code 1 when one was broken; each failing seed is printed with the command that runs it"
          + " again."
    })
public final class SimulateCommand extends Bench {
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

  @Override
  protected void check() {
    require(seeds >= 1, "must be >= 1: --seeds=%d", seeds);
  }

  @Override
  protected Object measure() throws InterruptedException {
    SeedTally tally = new SeedTally(out(), this::say, first, seeds);
    new Seeds(first, seeds, Runtime.getRuntime().availableProcessors()).run(tally::add);
    tally.print();
    if (!tally.isKept()) {
      fail();
    }
    return tally.figures();
  }
}
