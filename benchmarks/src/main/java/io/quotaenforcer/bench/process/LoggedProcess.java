package io.quotaenforcer.bench.process;

import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A program that writes what it says to a file; killed when it is closed, or this process ends. */
public final class LoggedProcess implements AutoCloseable {
  private static final long POLL_MILLIS = 10;

  private final String name;
  private final Path log;
  private final Process process;
  private final Thread hook;

  private LoggedProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    // In case this process is told to stop.
    this.hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts it.
   *
   * @param name that complaints call it by
   * @param log file that gets what it says
   */
  public static LoggedProcess start(String name, Path log, ProcessBuilder builder)
      throws IOException {
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    return new LoggedProcess(name, log, builder.start());
  }

  /**
   * Starts a JVM with this one's class path and Java, with one thread for its garbage, and all of
   * its heap at once, as servers are run: a heap that grows only when it must makes a program with
   * little in it collect more often. It is told nothing of this program's {@code QUOTA_} variables.
   *
   * @param name that complaints call it by
   * @param log file that gets what it says
   */
  public static LoggedProcess jvm(
      String name, Path log, Class<?> main, int heapMebibytes, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms" + heapMebibytes + "m", "-Xmx" + heapMebibytes + "m"));
    command.add("-XX:+UseSerialGC");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(variable -> variable.startsWith("QUOTA_"));
    return start(name, log, builder);
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

  /**
   * Waits for something that does not come when it has ended.
   *
   * @throws IllegalStateException with what it said if it has ended
   */
  public void await(String what, Duration atMost, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.call()) {
      if (!isAlive()) {
        throw new IllegalStateException(name + " has ended: " + said());
      }
      if (System.nanoTime() > deadline) {
        throw new CommandException(
            ExitCode.FAILED, "waited %d s for: %s".formatted(atMost.toSeconds(), what));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
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
