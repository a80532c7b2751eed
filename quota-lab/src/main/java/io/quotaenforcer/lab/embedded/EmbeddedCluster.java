package io.quotaenforcer.lab.embedded;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.Enforcer;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.config.StreamsSettings;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.enforcer.store.WindowCounts;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.TopicCreation;
import io.quotaenforcer.enforcer.topics.TopicCreation.Result;
import io.quotaenforcer.enforcer.topics.TopicCreation.Wish;
import io.quotaenforcer.enforcer.topology.TopologySettings;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * A broker, the topics and an enforcer in this process, for demos and tests; its contents are gone
 * when it is closed, or when a signal ends the process.
 */
public final class EmbeddedCluster implements AutoCloseable {
  private static final int FEW_PARTITIONS = 2;
  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
  private static final Duration COUNT_PATIENCE = Duration.ofSeconds(10);
  private static final Duration READY_POLL = Duration.ofMillis(20);
  private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(20);

  private final Lifecycle lifecycle;
  private final EmbeddedBroker broker;
  private final Path state;
  private final Wire wire;
  private final int partitions;
  private final Enforcer enforcer;

  private EmbeddedCluster(
      Lifecycle lifecycle,
      EmbeddedBroker broker,
      Path state,
      Wire wire,
      int partitions,
      Enforcer enforcer) {
    this.lifecycle = lifecycle;
    this.broker = broker;
    this.state = state;
    this.wire = wire;
    this.partitions = partitions;
    this.enforcer = enforcer;
  }

  /**
   * Starts everything, with few partitions, and returns when the enforcer serves.
   *
   * @param maxInstances most instances there will be
   * @param rules in force from the start
   * @param settings of the topology
   */
  public static EmbeddedCluster start(
      int maxInstances, Collection<Rule> rules, Function<PrefixInfo, TopologySettings> settings)
      throws InterruptedException {
    return start(FEW_PARTITIONS, maxInstances, rules, settings);
  }

  /**
   * Like {@link #start(int, Collection, Function)}, with the given number of partitions per topic.
   */
  public static EmbeddedCluster start(
      int partitions,
      int maxInstances,
      Collection<Rule> rules,
      Function<PrefixInfo, TopologySettings> settings)
      throws InterruptedException {
    Lifecycle lifecycle = Lifecycle.start(CLOSE_DEADLINE);
    try {
      EmbeddedCluster cluster = open(lifecycle, partitions, settings);
      cluster.createTopics(maxInstances);
      cluster.publish(rules);
      cluster.enforcer.start(START_TIMEOUT);
      cluster.awaitReady();
      return cluster;
    } catch (RuntimeException | InterruptedException e) {
      lifecycle.close();
      throw e;
    }
  }

  private static EmbeddedCluster open(
      Lifecycle lifecycle, int partitions, Function<PrefixInfo, TopologySettings> settings) {
    EmbeddedBroker broker = lifecycle.open("broker", EmbeddedBroker::start);
    Path state =
        lifecycle.open("state folder", () -> TemporaryFolder.create("quota-state-")).path();
    Wire wire = Wire.of(Topics.under(Topics.DEFAULT_PREFIX, partitions, Codecs.withoutRegistry()));
    EnforcerConfig config = EnforcerConfig.of(settings(broker, state));
    Enforcer enforcer =
        lifecycle.add(
            "enforcer",
            new Enforcer(
                wire,
                StreamsSettings.of(config),
                config.kafka(),
                settings,
                new SimpleMeterRegistry()));
    return new EmbeddedCluster(lifecycle, broker, state, wire, partitions, enforcer);
  }

  /** Settings of the topology on the system clock. */
  public static Function<PrefixInfo, TopologySettings> settings(LongSupplier epochNanos) {
    return prefix ->
        TopologySettings.defaults(
            prefix.partitions(), LedgerSettings.defaults(prefix.maxInstances()), epochNanos);
  }

  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  public Wire wire() {
    return wire;
  }

  /** Publishes rules, each at its own version. */
  public void publish(Collection<Rule> rules) {
    Map<String, Object> properties = Map.of("bootstrap.servers", bootstrapServers());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (Rule rule : rules) {
        byte[] key = rule.id().toString().getBytes(StandardCharsets.UTF_8);
        byte[] value = wire.encode(rule, System.currentTimeMillis());
        producer.send(new ProducerRecord<>(wire.topics().rules().name(), key, value));
      }
    }
  }

  /** Permits counted per rule, over all windows that are kept. */
  public Map<RuleId, Long> counted() {
    ReadOnlyKeyValueStore<Bytes, byte[]> store =
        enforcer
            .streams()
            .store(
                StoreQueryParameters.fromNameAndType(
                    Stores.LEDGER, QueryableStoreTypes.keyValueStore()));
    Map<RuleId, Long> used = new HashMap<>();
    WindowCounts.all(store)
        .forEach(
            (key, windows) ->
                windows.forEach(count -> used.merge(key.rule(), count.used(), Long::sum)));
    return used;
  }

  /**
   * Waits until the given permits are counted per rule, for as long as counts still change.
   *
   * @return the counts then; below {@code wanted} if they stopped changing
   */
  public Map<RuleId, Long> awaitCounted(Map<RuleId, Long> wanted) throws InterruptedException {
    Standstill<Map<RuleId, Long>> standstill = new Standstill<>(COUNT_PATIENCE.toNanos());
    while (true) {
      Map<RuleId, Long> counted = counted();
      boolean equal =
          wanted.entrySet().stream()
              .allMatch(it -> counted.getOrDefault(it.getKey(), 0L).equals(it.getValue()));
      if (equal || standstill.isReached(counted, System.nanoTime())) {
        return counted;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  @Override
  public void close() {
    lifecycle.close();
  }

  private void createTopics(int maxInstances) {
    KafkaConnection kafka = EnforcerConfig.of(settings(broker, state)).kafka();
    try (Brokers brokers = Brokers.connect(kafka, START_TIMEOUT)) {
      TopicCreation creation =
          new TopicCreation(
              brokers,
              Topics.DEFAULT_PREFIX,
              Codecs.withoutRegistry(),
              System::currentTimeMillis,
              System::nanoTime);
      Result result =
          creation.run(
              new Wish(OptionalInt.of(partitions), OptionalInt.of(1), OptionalInt.of(maxInstances)),
              false);
      if (result instanceof Result.Refused refused) {
        throw new IllegalStateException("cannot create topics: " + refused.reasons());
      }
    }
  }

  private void awaitReady() throws InterruptedException {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    while (!enforcer.isReady()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the enforcer did not get ready in " + START_TIMEOUT);
      }
      if (lifecycle.awaitStop(READY_POLL)) {
        throw new IllegalStateException("the program ended before the enforcer was ready");
      }
    }
  }

  private static Map<String, Object> settings(EmbeddedBroker broker, Path state) {
    return Map.of(
        "bootstrap.servers",
        broker.bootstrapServers(),
        "state.dir",
        state,
        "num.stream.threads",
        1);
  }
}
