package io.quotaenforcer.lab.command;

import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.runlog.SampleLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota sample-log FILE}: makes the sample log anew, always the same. */
@Command(
    name = "sample-log",
    hidden = true,
    description = "Writes the sample access log, compressed, to a file.")
final class SampleLogCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Overwritten if it exists.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Override
  public Integer call() {
    try {
      SampleLog.write(file);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.USAGE, "cannot be written (" + e.getMessage() + "): " + file, e);
    }
    spec.commandLine().getOut().println("wrote " + SampleLog.LINES + " lines to " + file);
    return ExitCode.DONE;
  }
}
