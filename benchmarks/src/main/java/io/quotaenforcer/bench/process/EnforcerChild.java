package io.quotaenforcer.bench.process;

import io.quotaenforcer.enforcer.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code quota enforcer} as a process of its own with bounded memory; killed when it is closed.
 *
 * @param jvm the process
 */
public record EnforcerChild(LoggedJvm jvm) implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("http://(\\S+)/health/ready");

  /**
   * The resources it may use.
   *
   * @param heapMebibytes of heap
   * @param rocksdbMebibytes of memory for all of its stores
   * @param lease for how long it grants permits at most
   */
  public record Limits(int heapMebibytes, int rocksdbMebibytes, Duration lease) {}

  /**
   * Starts it.
   *
   * @param folder of its settings, its stores and its log
   * @param settings lines of its settings, beside those that it needs
   */
  public static EnforcerChild start(
      Path folder, String bootstrapServers, Limits limits, String... settings) throws IOException {
    Path config = Files.createDirectories(folder).resolve("enforcer.properties");
    Files.writeString(
        config,
        """
        bootstrap.servers=%s
        state.dir=%s
        http.port=0
        rocksdb.memory.mb=%d
        allotment.ttl=%dms
        %s
        """
            .formatted(
                bootstrapServers,
                folder.resolve("state"),
                limits.rocksdbMebibytes(),
                limits.lease().toMillis(),
                String.join("\n", settings)));
    return new EnforcerChild(
        LoggedJvm.start(
            "enforcer",
            folder.resolve("log.txt"),
            Main.class,
            limits.heapMebibytes(),
            "--config",
            config.toString()));
  }

  /** Where its HTTP server listens, as {@code host:port}; empty before it does. */
  public Optional<String> httpAddress() throws IOException {
    Matcher said = ADDRESS.matcher(jvm.said());
    return said.find() ? Optional.of(said.group(1)) : Optional.empty();
  }

  /** Kills it with SIGKILL, and returns when it is gone. */
  @Override
  public void close() {
    jvm.close();
  }
}
