package io.quotaenforcer.bench.restore;

import io.quotaenforcer.bench.process.JvmCommand;
import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import io.quotaenforcer.enforcer.cli.Main;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code quota enforcer} as a process of its own with bounded memory; killed when it is closed. */
public final class EnforcerChild implements AutoCloseable {
  private static final long POLL_MILLIS = 10;
  private static final Pattern ADDRESS = Pattern.compile("http://(\\S+)/health/ready");

  private static final int KIBIBYTES_PER_MEBIBYTE = 1024;

  private final String name;
  private final Path folder;
  private final Process process;
  private final Thread hook;

  private EnforcerChild(String name, Path folder, Process process) {
    this.name = name;
    this.folder = folder;
    this.process = process;
    // In case this process is told to stop.
    this.hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * What it may have.
   *
   * @param heapMebibytes of heap
   * @param rocksdbMebibytes of memory for all of its stores
   * @param standbyReplicas copies of each store
   */
  public record Limits(int heapMebibytes, int rocksdbMebibytes, int standbyReplicas) {}

  /**
   * Starts it.
   *
   * @param name of its Kafka clients
   * @param folder of its settings, its stores and its log
   */
  public static EnforcerChild start(
      String name, Path folder, String bootstrapServers, Limits limits) throws IOException {
    Path config = Files.createDirectories(folder).resolve("enforcer.properties");
    Files.writeString(
        config,
        """
        bootstrap.servers=%s
        state.dir=%s
        http.port=0
        num.standby.replicas=%d
        rocksdb.memory.mb=%d
        streams.client.id=%s
        """
            .formatted(
                bootstrapServers,
                folder.resolve("state"),
                limits.standbyReplicas(),
                limits.rocksdbMebibytes(),
                name));
    ProcessBuilder builder =
        new ProcessBuilder(
            JvmCommand.of(
                Main.class,
                limits.heapMebibytes(),
                List.of(),
                "enforcer",
                "--config",
                config.toString()));
    builder.environment().keySet().removeIf(variable -> variable.startsWith("QUOTA_"));
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("log.txt").toFile());
    return new EnforcerChild(name, folder, builder.start());
  }

  String name() {
    return name;
  }

  public long pid() {
    return process.pid();
  }

  /** Where its HTTP server listens, as {@code host:port}; empty before it does. */
  public Optional<String> httpAddress() throws IOException {
    Matcher said = ADDRESS.matcher(log());
    return said.find() ? Optional.of(said.group(1)) : Optional.empty();
  }

  /** When a file of its stores was written last. */
  public Instant storesWritten() throws IOException {
    LastWrite last = new LastWrite();
    Files.walkFileTree(folder.resolve("state"), last);
    return last.at;
  }

  /** Looks at all files of a folder that are still there when it gets to them. */
  private static final class LastWrite extends SimpleFileVisitor<Path> {
    private Instant at = Instant.EPOCH;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      Instant written = attributes.lastModifiedTime().toInstant();
      at = written.isAfter(at) ? written : at;
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }

  /**
   * Fails when it has ended.
   *
   * @throws IllegalStateException with what it said
   */
  private void checkAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IllegalStateException(name + " has ended: " + log());
    }
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

  private String log() throws IOException {
    return Files.readString(folder.resolve("log.txt"));
  }

  /** Most memory that it had, heap and all else; 0 where the system does not say. */
  public long peakMebibytes() throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / KIBIBYTES_PER_MEBIBYTE)
        .findFirst()
        .orElse(0);
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
