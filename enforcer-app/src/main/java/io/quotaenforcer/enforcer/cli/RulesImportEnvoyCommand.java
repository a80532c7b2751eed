package io.quotaenforcer.enforcer.cli;

import io.quotaenforcer.enforcer.envoy.EnvoyRules;
import io.quotaenforcer.enforcer.rules.RuleProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota rules import-envoy FILE}: a configuration of Envoy's ratelimit service as rules. */
@Command(
    name = "import-envoy",
    description = {
      "Write a configuration of Envoy's ratelimit service (domain and descriptors) as a rule file;"
          + " needs no broker.",
      "Warns of what a rule file cannot say, or says otherwise, with file, line and column."
    })
final class RulesImportEnvoyCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "A configuration of the ratelimit service.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path path;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "Where the rules go, written anew if it is there. Default: standard output.")
  private @Nullable Path to;

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    EnvoyRules rules = EnvoyRules.load(path);
    if (rules instanceof EnvoyRules.Refused refused) {
      refused.problems().forEach(err::println);
      return RulesCommand.FAILED;
    }
    EnvoyRules.Imported imported = (EnvoyRules.Imported) rules;
    for (RuleProblem warning : imported.warnings()) {
      err.println(
          "%s:%d:%d: warning: %s"
              .formatted(warning.file(), warning.line(), warning.column(), warning.message()));
    }
    if (to == null) {
      spec.commandLine().getOut().print(imported.yaml());
      spec.commandLine().getOut().flush();
    } else {
      write(to, imported.yaml());
    }
    return RulesCommand.OK;
  }

  private static void write(Path file, String yaml) {
    try {
      Files.writeString(file, yaml);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.USAGE, "cannot be written (" + e.getMessage() + "): --to=" + file, e);
    }
  }
}
