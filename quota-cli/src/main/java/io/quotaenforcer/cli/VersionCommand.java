package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quota version}. */
@Command(name = "version", description = "Shows the versions of this program and its libraries.")
final class VersionCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getParent().printVersionHelp(spec.commandLine().getOut());
    return ExitCode.DONE;
  }
}
