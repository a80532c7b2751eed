package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.rules.RuleStore;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota penalties}: quota keys that are refused everything for a while. */
@Command(
    name = "penalties",
    description =
        "Shows the quota keys that are under a penalty, and lifts penalties of single ones.",
    synopsisSubcommandLabel = "COMMAND")
final class PenaltiesCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private PenaltiesCommand() {}

  /**
   * The command with its subcommands.
   *
   * @param stores opens the published rules; asked only once the command line has been read
   */
  static CommandLine create(CommonOptions options, Supplier<RuleStore> stores) {
    return new CommandLine(new PenaltiesCommand())
        .addSubcommand(new PenaltiesListCommand(options))
        .addSubcommand(new PenaltiesLiftCommand(options, stores));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command");
  }
}
