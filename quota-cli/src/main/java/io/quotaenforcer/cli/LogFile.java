package io.quotaenforcer.cli;

import io.quotaenforcer.cli.log.CsvColumns;
import io.quotaenforcer.cli.log.LogFormat;
import io.quotaenforcer.cli.log.LogReader;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The log that a command reads. */
public final class LogFile {
  private LogFile() {}

  /** The format of a name, or ends the command. */
  public static LogFormat format(String name) {
    return LogFormat.named(name)
        .orElseThrow(
            () ->
                new CommandException(ExitCode.USAGE, "must be combined or csv: --format=" + name));
  }

  /** Opens the log, or ends the command with the problem. */
  public static LogReader open(Path file, LogFormat format, CsvColumns columns) {
    if (format == LogFormat.COMBINED && !columns.equals(CsvColumns.DEFAULTS)) {
      throw new CommandException(ExitCode.USAGE, "--time and --cost are for --format csv only");
    }
    if (Files.isDirectory(file)) {
      throw new CommandException(ExitCode.USAGE, "is a directory; name a file: " + file);
    }
    try {
      return LogReader.open(file, format, columns);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** Ends the command because the log cannot be read. */
  public static CommandException unreadable(Path file, IOException e) {
    if (e instanceof NoSuchFileException) {
      return new CommandException(ExitCode.USAGE, "there is no such file: " + file, e);
    }
    if (e instanceof AccessDeniedException) {
      return new CommandException(
          ExitCode.USAGE, "the file may not be read; check its permissions: " + file, e);
    }
    return new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
  }
}
