package io.quotaenforcer.tutorial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Commands that bash runs, and what it shows. Ended with all that it started by {@link #close}. */
final class Shell implements AutoCloseable {
  private static final Duration END = Duration.ofSeconds(30);

  private final Process process;
  private final Path output;

  private Shell(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Types the commands.
   *
   * @param folder that they are typed in
   * @param output what they show goes to this file
   * @param variables of their environment, besides those of this process that are not ours
   */
  static Shell type(String commands, Path folder, Path output, Map<String, String> variables)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", commands)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("QUOTA_"));
    builder.environment().putAll(variables);
    return new Shell(builder.start(), output);
  }

  String shown() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the end; returns the exit code. */
  int end(Duration atMost) throws InterruptedException {
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("did not end within " + atMost + ":\n" + shown());
    }
    return process.exitValue();
  }

  /** Ctrl-C, to all that run in this terminal, and waits for their end. */
  void interrupt() throws IOException, InterruptedException {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    for (ProcessHandle each : all) {
      new ProcessBuilder("kill", "-INT", Long.toString(each.pid())).start().waitFor();
    }
    end(END);
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
