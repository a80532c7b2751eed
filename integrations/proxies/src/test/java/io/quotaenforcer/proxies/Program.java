package io.quotaenforcer.proxies;

import io.quotaenforcer.lab.process.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A program of the machine that listens on a port; killed when it is closed. */
final class Program implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(20);

  private final Process process;
  private final Thread hook;
  private final Path log;

  private Program(Process process, Path log) {
    this.process = process;
    this.hook = new Thread(() -> end(process));
    this.log = log;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts it, and returns when it listens. Its home is the folder, too. */
  static Program start(Path folder, int port, List<String> command) throws IOException {
    Path log = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("XDG_DATA_HOME", folder.toString());
    builder.environment().put("XDG_CONFIG_HOME", folder.toString());
    Program program = new Program(builder.start(), log);
    try {
      Wait.until(
          command + " to listen",
          START_TIMEOUT,
          () -> !program.process.isAlive() || Net.isListening(port));
      if (!program.process.isAlive()) {
        throw new IllegalStateException(command + " ended: " + program);
      }
      return program;
    } catch (RuntimeException e) {
      program.close();
      throw e;
    }
  }

  /** Its output so far. */
  @Override
  public String toString() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    end(process);
    Runtime.getRuntime().removeShutdownHook(hook);
  }

  /** With its workers, which would outlive a killed master. */
  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }
}
