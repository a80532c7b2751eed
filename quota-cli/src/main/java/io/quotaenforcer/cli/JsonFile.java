package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a report's file. */
public final class JsonFile {
  @Option(names = "--json", paramLabel = "FILE", description = "Writes the report to this file.")
  private @Nullable Path file;

  /** Fails before a long run rather than after it. */
  public void checkWritable() {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(file)
            ? Files.isRegularFile(file) && Files.isWritable(file)
            : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
    if (!writable) {
      throw new CommandException(ExitCode.USAGE, "cannot be written: --json=" + file);
    }
  }

  /** Writes the report if a file was named. */
  public void write(Supplier<String> json) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, json.get() + "\n");
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.USAGE, "cannot be written (" + e.getMessage() + "): --json=" + file, e);
    }
  }
}
