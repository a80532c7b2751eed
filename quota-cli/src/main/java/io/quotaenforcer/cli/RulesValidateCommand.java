package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.rules.RuleFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota rules validate FILE...}: checks rule files; needs no broker. */
@Command(name = "validate", description = "Checks rule files; needs no broker.")
final class RulesValidateCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Rule files.")
  private List<Path> files = List.of();

  @Override
  public Integer call() {
    int failed = 0;
    for (Path path : files) {
      Optional<RuleFile.Valid> file = RulesCommand.load(path, spec.commandLine().getErr());
      if (file.isEmpty()) {
        failed++;
      } else {
        int rules = file.get().rules().size();
        spec.commandLine()
            .getOut()
            .println(
                path + ": ok, domain " + file.get().domain() + ", " + Counted.of(rules, "rule"));
      }
    }
    return failed == 0 ? RulesCommand.OK : ExitCode.USAGE;
  }
}
