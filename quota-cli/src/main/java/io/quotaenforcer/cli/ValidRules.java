package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleFileLoader;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** The rules that a command is given in a file. */
public final class ValidRules {
  private ValidRules() {}

  /** Reads them, or ends the command with all problems. */
  public static RuleFile.Valid of(Path file) {
    RuleFile read = RuleFileLoader.load(file);
    if (read instanceof RuleFile.Invalid invalid) {
      throw new CommandException(
          ExitCode.USAGE,
          invalid.problems().stream().map(Object::toString).collect(Collectors.joining("\n")));
    }
    return (RuleFile.Valid) read;
  }
}
