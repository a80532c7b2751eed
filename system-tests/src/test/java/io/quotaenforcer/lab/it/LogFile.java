package io.quotaenforcer.lab.it;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Lines that outlive the process that wrote them. Safe for use by any number of threads. */
final class LogFile implements AutoCloseable {
  private final BufferedWriter file;

  /** Goes on at the end of the file. */
  LogFile(Path path) throws IOException {
    Files.createDirectories(path.getParent());
    file =
        Files.newBufferedWriter(
            path, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Writes a line of fields, and hands it to the operating system. */
  synchronized void write(Object... fields) {
    try {
      for (int i = 0; i < fields.length; i++) {
        file.write((i == 0 ? "" : ",") + fields[i]);
      }
      file.write("\n");
      file.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The fields of each whole line; a line that was cut off by a kill is left out. */
  static List<String[]> read(Path path) throws IOException {
    if (!Files.exists(path)) {
      return List.of();
    }
    String all = Files.readString(path);
    int end = all.lastIndexOf('\n');
    return end < 0
        ? List.of()
        : all.substring(0, end).lines().map(line -> line.split(",", -1)).toList();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
