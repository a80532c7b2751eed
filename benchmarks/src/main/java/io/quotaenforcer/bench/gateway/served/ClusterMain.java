package io.quotaenforcer.bench.gateway.served;

import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** A broker and an enforcer with the rules of a file, until this is killed. */
final class ClusterMain {
  static final String SAYS = "brokers=";
  private static final int INSTANCES = 4;

  private ClusterMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.start(
                INSTANCES,
                Limits.read(Path.of(arguments[0])),
                EmbeddedCluster.settings(ClusterMain::epochNanos));
        PrintStream out =
            new PrintStream(
                new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)) {
      out.println(SAYS + cluster.bootstrapServers());
      Thread.currentThread().join();
    }
  }

  private static long epochNanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }
}
