package io.quotaenforcer.lab.process;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.Kafka;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;

/** Three brokers, each a process of its own, that keep every record three times. */
public final class BrokerJvms implements AutoCloseable {
  /** How many there are. */
  public static final int BROKERS = 3;

  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

  private final List<ChildJvm> jvms = new ArrayList<>();
  private final Path folder;
  private final List<Integer> ports;

  private BrokerJvms(Path folder, List<Integer> ports) {
    this.folder = folder;
    this.ports = ports;
  }

  /** Starts them, and returns when all of them listen. */
  public static BrokerJvms start(Path folder) throws Exception {
    List<Integer> ports = freePorts(2 * BROKERS);
    BrokerJvms brokers = new BrokerJvms(folder, ports.subList(0, BROKERS));
    List<Integer> controllers = ports.subList(BROKERS, 2 * BROKERS);
    String cluster = Uuid.randomUuid().toString();
    try {
      for (int i = 0; i < BROKERS; i++) {
        brokers.format(i, cluster, controllers);
        brokers.jvms.add(brokers.launch(i));
      }
      for (int i = 0; i < BROKERS; i++) {
        brokers.awaitListening(i);
      }
      return brokers;
    } catch (Exception | Error e) {
      brokers.close();
      throw e;
    }
  }

  public String bootstrapServers() {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }

  public ChildJvm broker(int index) {
    return jvms.get(index);
  }

  /** Starts one that has ended, with the records that it had, and returns when it listens. */
  public void restart(int index) throws IOException {
    jvms.get(index).close();
    jvms.set(index, launch(index));
    awaitListening(index);
  }

  private Path folder(int index) {
    return folder.resolve("broker-" + (index + 1));
  }

  private void format(int index, String cluster, List<Integer> controllers) throws Exception {
    int node = index + 1;
    Path data = Files.createDirectories(folder(index).resolve("data"));
    new Formatter()
        .setPrintStream(new PrintStream(PrintStream.nullOutputStream(), false))
        .setNodeId(node)
        .setClusterId(cluster)
        .addDirectory(data.toString())
        .setMetadataLogDirectory(data.toString())
        .setControllerListenerName("CONTROLLER")
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
        .run();
    Properties properties = properties(node, data, ports.get(index), controllers);
    try (Writer out = Files.newBufferedWriter(settings(index))) {
      properties.store(out, null);
    }
  }

  private Path settings(int index) {
    return folder(index).resolve("server.properties");
  }

  private ChildJvm launch(int index) throws IOException {
    return ChildJvm.start(
        "broker " + (index + 1),
        folder(index).resolve("tmp"),
        Kafka.class,
        settings(index).toString());
  }

  private static Properties properties(int node, Path data, int port, List<Integer> controllers) {
    String voters =
        IntStream.range(0, BROKERS)
            .mapToObj(i -> (i + 1) + "@127.0.0.1:" + controllers.get(i))
            .collect(Collectors.joining(","));
    int controller = controllers.get(node - 1);
    Properties properties = new Properties();
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", String.valueOf(node));
    properties.put("log.dirs", data.toString());
    properties.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controller));
    properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put("controller.quorum.voters", voters);
    properties.put("default.replication.factor", String.valueOf(BROKERS));
    properties.put("min.insync.replicas", "2");
    properties.put("offsets.topic.replication.factor", String.valueOf(BROKERS));
    properties.put("offsets.topic.num.partitions", "3");
    properties.put("transaction.state.log.replication.factor", String.valueOf(BROKERS));
    properties.put("transaction.state.log.min.isr", "2");
    properties.put("transaction.state.log.num.partitions", "3");
    properties.put("group.initial.rebalance.delay.ms", "0");
    properties.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");
    // Small: the default is for a machine of its own.
    properties.put("log.cleaner.dedupe.buffer.size", String.valueOf(2 << 20));
    properties.put("log.index.size.max.bytes", String.valueOf(1 << 20));
    return properties;
  }

  private void awaitListening(int index) {
    ChildJvm jvm = jvms.get(index);
    int port = ports.get(index);
    Wait.until(
        "broker to listen", START_TIMEOUT, () -> !jvm.isAlive() || ChildJvm.isListening(port));
    if (!jvm.isAlive()) {
      throw new IllegalStateException("has ended: " + jvm);
    }
  }

  /** Another program may take one before a broker does: then it ends, and says so. */
  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  @Override
  public void close() {
    jvms.forEach(ChildJvm::close);
  }
}
