package io.quotaenforcer.bench.process;

import io.quotaenforcer.enforcer.Main;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code quota enforcer} as a process of its own with bounded memory; killed when it is closed. */
public final class EnforcerChild implements AutoCloseable {
  /** Of an enforcer that is not told another one. */
  public static final Duration DEFAULT_LEASE = Duration.ofSeconds(2);

  private static final Pattern ADDRESS = Pattern.compile("http://(\\S+)/health/ready");

  private final Path folder;
  private final LoggedJvm jvm;

  private EnforcerChild(Path folder, LoggedJvm jvm) {
    this.folder = folder;
    this.jvm = jvm;
  }

  /**
   * What it may have.
   *
   * @param heapMebibytes of heap
   * @param rocksdbMebibytes of memory for all of its stores
   * @param standbyReplicas copies of each store
   * @param lease for how long it grants permits at most
   */
  public record Limits(
      int heapMebibytes, int rocksdbMebibytes, int standbyReplicas, Duration lease) {
    /** With leases as they are by default. */
    public Limits(int heapMebibytes, int rocksdbMebibytes, int standbyReplicas) {
      this(heapMebibytes, rocksdbMebibytes, standbyReplicas, DEFAULT_LEASE);
    }
  }

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
        allotment.ttl=%dms
        streams.client.id=%s
        """
            .formatted(
                bootstrapServers,
                folder.resolve("state"),
                limits.standbyReplicas(),
                limits.rocksdbMebibytes(),
                limits.lease().toMillis(),
                name));
    LoggedJvm jvm =
        LoggedJvm.start(
            name,
            folder.resolve("log.txt"),
            Main.class,
            limits.heapMebibytes(),
            "--config",
            config.toString());
    return new EnforcerChild(folder, jvm);
  }

  String name() {
    return jvm.name();
  }

  public long pid() {
    return jvm.pid();
  }

  /** The process. */
  public LoggedJvm jvm() {
    return jvm;
  }

  /** Where its HTTP server listens, as {@code host:port}; empty before it does. */
  public Optional<String> httpAddress() throws IOException {
    Matcher said = ADDRESS.matcher(jvm.said());
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

  /** Waits for something that does not come when it has ended. */
  public void await(String what, Duration atMost, Callable<Boolean> condition) throws Exception {
    jvm.await(what, atMost, condition);
  }

  /** Most memory that it had, heap and all else; 0 where the system does not say. */
  public long peakMebibytes() throws IOException {
    return jvm.peakMebibytes();
  }

  /** Kills it with SIGKILL, and returns when it is gone. */
  @Override
  public void close() {
    jvm.close();
  }
}
