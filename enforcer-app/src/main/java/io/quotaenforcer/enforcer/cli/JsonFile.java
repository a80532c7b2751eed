package io.quotaenforcer.enforcer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A report's file. */
public final class JsonFile {
  private JsonFile() {}

  /** Fails before a long run rather than after it. */
  public static void checkWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(file)
            ? Files.isRegularFile(file) && Files.isWritable(file)
            : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
    if (!writable) {
      throw new CommandException(ExitCode.USAGE, "cannot be written: --json=" + file);
    }
  }

  public static void write(Path file, String json) {
    try {
      Files.writeString(file, json + "\n");
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.USAGE, "cannot be written (" + e.getMessage() + "): --json=" + file, e);
    }
  }
}
