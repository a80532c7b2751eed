package io.quotaenforcer.languages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that has ended, and what it said.
 *
 * @param exitCode negative if it did not end in time
 */
record Program(int exitCode, String output) {
  /**
   * Runs a program; kills it, with what it started, when it does not end in time.
   *
   * @param environment beside that of this process
   */
  static Program run(
      Path folder, Map<String, String> environment, Duration atMost, List<String> command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("program", ".log");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(output.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      Thread hook = new Thread(() -> kill(process));
      Runtime.getRuntime().addShutdownHook(hook);
      boolean ended = process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
      kill(process);
      Runtime.getRuntime().removeShutdownHook(hook);
      return new Program(ended ? process.exitValue() : -1, Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
