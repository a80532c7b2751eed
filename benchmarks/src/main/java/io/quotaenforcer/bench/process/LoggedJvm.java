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

/**
 * A program in a JVM of its own, with this one's class path and Java, that writes what it says to a
 * file; killed when it is closed. It is told nothing of this program's {@code QUOTA_} variables.
 */
public final class LoggedJvm implements AutoCloseable {
  private static final long POLL_MILLIS = 10;
  private static final int KIBIBYTES_PER_MEBIBYTE = 1024;

  private final String name;
  private final LoggedProcess process;

  private LoggedJvm(String name, LoggedProcess process) {
    this.name = name;
    this.process = process;
  }

  /**
   * Starts it, with one thread for its garbage, and all of its heap at once, as servers are run: a
   * heap that grows only when it must makes a program with little in it collect more often.
   *
   * @param name that complaints call it by
   * @param log file that gets what it says
   */
  public static LoggedJvm start(
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
    return new LoggedJvm(name, LoggedProcess.start(builder, log));
  }

  public long pid() {
    return process.pid();
  }

  /** Its output so far. */
  public String said() throws IOException {
    return process.said();
  }

  /** Processor time that it took so far, of all its threads; zero where the system does not say. */
  public Duration processorTime() {
    return process.processorTime();
  }

  /** Waits for something that does not come when it has ended. */
  public void await(String what, Duration atMost, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.call()) {
      checkAlive();
      if (System.nanoTime() > deadline) {
        throw new CommandException(
            ExitCode.FAILED, "waited %d s for: %s".formatted(atMost.toSeconds(), what));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /**
   * Fails when it has ended.
   *
   * @throws IllegalStateException with what it said
   */
  private void checkAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IllegalStateException(name + " has ended: " + said());
    }
  }

  /** Most memory that it had, heap and all else; 0 where the system does not say. */
  public long peakMebibytes() throws IOException {
    return mebibytes("VmHWM:");
  }

  /** The memory that it has now, heap and all else; 0 where the system does not say. */
  public long residentMebibytes() throws IOException {
    return mebibytes("VmRSS:");
  }

  private long mebibytes(String field) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(field))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / KIBIBYTES_PER_MEBIBYTE)
        .findFirst()
        .orElse(0);
  }

  /** Kills it with SIGKILL, and returns when it is gone. */
  @Override
  public void close() {
    process.close();
  }
}
