package io.quotaenforcer.bench;

import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.lab.command.LabCommands;

/** The program with its benchmarks. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(
        Quota.run(options -> LabCommands.create(options, BenchCommand.create()), arguments));
  }
}
