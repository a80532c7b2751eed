package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.rules.RuleProblem;
import io.quotaenforcer.rules.envoy.EnvoyRules;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota rules import-envoy FILE}: a configuration of Envoy's ratelimit service as rules. */
@Command(
    name = "import-envoy",
    description = {
      "Turns a configuration of Envoy's ratelimit service (domain and descriptors) into rule"
          + " files, one for each domain; needs no broker.",
      "Refuses a limit that rules cannot express, and warns where a rule behaves differently,"
          + " with file, line and column."
    })
final class RulesImportEnvoyCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Configurations of the ratelimit service; those of one domain are merged.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<Path> paths;

  @Option(
      names = "--to",
      paramLabel = "PATH",
      description = {
        "Where to write the rules: a file, which is overwritten, or a directory, in which each"
            + " domain becomes DOMAIN.yaml. Several domains need a directory.",
        "Default: standard output."
      })
  private @Nullable Path to;

  @Option(
      names = "--for-gateway",
      description =
          "Makes each limit a rule of its own, for a gateway (envoy.config) that looks descriptors"
              + " up. Without it the rules are for services that decide by attributes.")
  private boolean forGateway;

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    EnvoyRules rules = forGateway ? EnvoyRules.loadForGateway(paths) : EnvoyRules.load(paths);
    if (rules instanceof EnvoyRules.Refused refused) {
      refused.problems().forEach(err::println);
      return ExitCode.USAGE;
    }
    EnvoyRules.Imported imported = (EnvoyRules.Imported) rules;
    for (RuleProblem warning : imported.warnings()) {
      err.println(
          "%s:%d:%d: warning: %s"
              .formatted(warning.file(), warning.line(), warning.column(), warning.message()));
    }
    write(imported.domains());
    return RulesCommand.OK;
  }

  private void write(List<EnvoyRules.Domain> domains) {
    boolean several = domains.size() > 1;
    if (several && (to == null || Files.isRegularFile(to))) {
      throw new ParameterException(
          spec.commandLine(),
          "the configuration has %d domains, and a rule file has one; name a directory: --to=%s"
              .formatted(domains.size(), to == null ? "DIRECTORY" : to));
    }
    if (to == null) {
      spec.commandLine().getOut().print(domains.get(0).yaml());
      spec.commandLine().getOut().flush();
    } else if (several || Files.isDirectory(to)) {
      for (EnvoyRules.Domain domain : domains) {
        write(to.resolve(domain.name() + ".yaml"), domain.yaml());
      }
    } else {
      write(to, domains.get(0).yaml());
    }
  }

  private static void write(Path file, String yaml) {
    try {
      Path directory = file.toAbsolutePath().getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      Files.writeString(file, yaml);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.USAGE, "cannot be written (" + e.getMessage() + "): --to=" + file, e);
    }
  }
}
