package io.quotaenforcer.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota usage}: counts. */
@Command(
    name = "usage",
    description = "Shows what was counted.",
    synopsisSubcommandLabel = "COMMAND")
final class UsageCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  static CommandLine create(CommonOptions options) {
    return new CommandLine(new UsageCommand()).addSubcommand(new UsageGetCommand(options));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command");
  }
}
