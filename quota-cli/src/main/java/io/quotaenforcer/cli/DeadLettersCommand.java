package io.quotaenforcer.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota dead-letters}: records that were put aside. */
@Command(
    name = "dead-letters",
    description = "Shows records that could not be processed, and writes them back.",
    synopsisSubcommandLabel = "COMMAND")
final class DeadLettersCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  static CommandLine create(CommonOptions options) {
    return new CommandLine(new DeadLettersCommand())
        .addSubcommand(new DeadLettersListCommand(options))
        .addSubcommand(new DeadLettersRedriveCommand(options));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command");
  }
}
