package io.quotaenforcer.docs;

import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.lab.command.LabCommands;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of every command. */
final class CommandsPage {
  private static final int WIDTH = 100;

  private CommandsPage() {}

  static Page write() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    CommandLine quota =
        Quota.create(nowhere, nowhere, Map.of(), LabCommands::create)
            .setUsageHelpAutoWidth(false)
            .setUsageHelpWidth(WIDTH);
    Markdown page =
        Markdown.page("Commands", "`Quota`")
            .paragraph(
                "`./quota` at the root builds the program when it is missing or older than its"
                    + " sources, then runs it. Results go to standard output; errors, warnings and"
                    + " the log to standard error.");
    section(page, quota);
    page.paragraph(
        "Every command below takes these options and ends with these exit codes, too; they are not"
            + " repeated there.");
    sections(page, quota);
    return page.to("commands.md");
  }

  private static void sections(Markdown page, CommandLine parent) {
    for (CommandLine command : parent.getSubcommands().values()) {
      if (!(command.getCommand() instanceof HelpCommand)) {
        hideCommon(command.getCommandSpec());
        section(page, command);
        sections(page, command);
      }
    }
  }

  private static void section(Markdown page, CommandLine command) {
    page.heading(command.getCommandSpec().qualifiedName())
        .block("text", command.getUsageMessage(Ansi.OFF));
  }

  private static void hideCommon(CommandSpec command) {
    command.usageMessage().exitCodeListHeading("").exitCodeList(Map.of());
    for (OptionSpec option : List.copyOf(command.options())) {
      if (option.inherited() || option.usageHelp() || option.versionHelp()) {
        command.remove(option);
      }
    }
  }
}
