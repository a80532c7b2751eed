package io.quotaenforcer.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A program that writes what it says to a file; killed when it is closed, or this process ends. */
public final class LoggedProcess implements AutoCloseable {
  private final Path log;
  private final Process process;
  private final Thread hook;

  private LoggedProcess(Path log, Process process) {
    this.log = log;
    this.process = process;
    // In case this process is told to stop.
    this.hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts it.
   *
   * @param log file that gets what it says
   */
  public static LoggedProcess start(ProcessBuilder builder, Path log) throws IOException {
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    return new LoggedProcess(log, builder.start());
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Its output so far. */
  public String said() throws IOException {
    return Files.readString(log);
  }

  /** Processor time that it took so far, of all its threads; zero where the system does not say. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Kills it with SIGKILL, and returns when it is gone. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
