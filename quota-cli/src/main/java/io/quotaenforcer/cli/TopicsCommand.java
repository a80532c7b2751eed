package io.quotaenforcer.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota topics}: create and check the topics of a prefix. */
@Command(
    name = "topics",
    description = "Creates and checks the topics of a prefix.",
    synopsisSubcommandLabel = "COMMAND")
final class TopicsCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  static CommandLine create(CommonOptions options) {
    return new CommandLine(new TopicsCommand())
        .addSubcommand(new TopicsCreateCommand(options))
        .addSubcommand(new TopicsCheckCommand(options));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command");
  }
}
