package io.quotaenforcer.languages;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.lab.command.Main;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.schemas.codec.RegistryProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A broker with a rule, and, once they are started, an enforcer and a schema registry. */
final class Quotas implements AutoCloseable {
  private static final Path ROOT = Path.of("..", "..");
  private static final Duration POLL = Duration.ofMillis(100);

  private final List<AutoCloseable> open = new ArrayList<>();
  private final Path folder;
  private final EmbeddedBroker broker;

  private Quotas(Path folder) {
    this.folder = folder;
    this.broker = EmbeddedBroker.start();
    open.add(broker);
  }

  /**
   * Starts the broker and publishes the rules.
   *
   * @param rules the text of a rule file
   */
  static Quotas start(Path folder, String rules) throws IOException {
    Quotas quotas = new Quotas(folder);
    String server = "--bootstrap-server=" + quotas.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=4", server);
    Path file = Files.writeString(folder.resolve("rules.yaml"), rules);
    QuotaRun.done("rules", "apply", file.toString(), server);
    return quotas;
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  RegistryProcess startRegistry() throws IOException {
    Needs.that(RegistryProcess.isBuilt(ROOT), "a registry, which the whole build unpacks");
    RegistryProcess registry = RegistryProcess.start(ROOT, folder.resolve("registry.log"));
    open.add(registry);
    return registry;
  }

  EnforcerJvm startEnforcer(String... settings) throws IOException {
    EnforcerJvm enforcer =
        EnforcerJvm.start(folder.resolve("enforcer"), bootstrapServers(), settings);
    open.add(enforcer);
    return enforcer;
  }

  ChildJvm startGateway(String name) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve(name + ".properties"),
            "bootstrap.servers=%s\nhttp.port=0\nhttp.probe.port=0\ngrpc.port=0\n"
                .formatted(bootstrapServers()));
    ChildJvm gateway =
        ChildJvm.start(
            name, folder.resolve(name), Main.class, "gateway", "--config", config.toString());
    open.add(gateway);
    return gateway;
  }

  /** Whether each record of a topic is where Java's producer places its key. */
  boolean arePlacedAsByJava(String topic) {
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers());
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(each -> new TopicPartition(topic, each.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long left =
          consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
      long misplaced = 0;
      while (left > 0) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          int place = BuiltInPartitioner.partitionForKey(record.key(), partitions.size());
          misplaced += place == record.partition() ? 0 : 1;
          left--;
        }
      }
      return misplaced == 0;
    }
  }

  static QuotaKey key(String domain, String rule, String value) {
    return QuotaKey.of(new RuleId(domain, rule), List.of(value));
  }

  /** A sample of the enforcer's metrics, by a part of its name and its only label's value. */
  static long metric(EnforcerJvm enforcer, String name, String label)
      throws IOException, InterruptedException {
    return enforcer
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.contains(name) && line.contains("\"" + label + "\""))
        .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ')))))
        .sum();
  }

  @Override
  public void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }
}
