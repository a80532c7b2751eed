package io.quotaenforcer.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota deferred}: requests that wait to be run later. */
@Command(
    name = "deferred",
    description = "Shows deferred requests, and cancels, releases or purges them.",
    synopsisSubcommandLabel = "COMMAND")
final class DeferredCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  static CommandLine create(CommonOptions options) {
    return new CommandLine(new DeferredCommand())
        .addSubcommand(new DeferredStatsCommand(options))
        .addSubcommand(new DeferredListCommand(options))
        .addSubcommand(new DeferredShowCommand(options))
        .addSubcommand(new DeferredCancelCommand(options))
        .addSubcommand(new DeferredReleaseCommand(options))
        .addSubcommand(new DeferredPurgeCommand(options));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command");
  }

  static String notThere(String id) {
    return "no such request: "
        + id
        + "; it has been run, is a dead letter (quota dead-letters list), or was never deferred";
  }
}
