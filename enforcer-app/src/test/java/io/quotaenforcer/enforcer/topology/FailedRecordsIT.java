package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.enforcer.transaction.OwnRecords;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records that make real stream threads fail in every way, among others that do not. */
@Timeout(720)
class FailedRecordsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(180);

  /** A thread that fails, a dozen times, must not leave its partition alone for as long as this. */
  private static final int SESSION_MILLIS = 45_000;

  private static final byte[] KEY = {1};
  private static final int GOOD = 20;
  private static final List<String> BAD = List.of("error", "output", "row", "commit");

  /**
   * A record that fits into the few bytes that a producer reserves too much for a larger one makes
   * it split a batch of both, which is refused, for ever.
   */
  private static final String LONG = "-".repeat(200);

  @TempDir Path folder;

  private final FailedRecords failed = new FailedRecords();
  private final BeforeCommit beforeCommit = new BeforeCommit();
  private final AtomicInteger deaths = new AtomicInteger();

  /** Passes values on, unless they are bad. */
  private final class Failing implements Processor<byte[], byte[], byte[], Object> {
    private @Nullable ProcessorContext<byte[], Object> context;
    private @Nullable KeyValueStore<Bytes, byte[]> store;
    private boolean bad;

    @Override
    public void init(ProcessorContext<byte[], Object> opened) {
      context = opened;
      store = opened.getStateStore(Stores.LEDGER);
      beforeCommit.begin(
          this,
          transaction -> {
            if (bad) {
              throw new IllegalStateException("must not be committed");
            }
          });
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      String value = new String(record.value(), StandardCharsets.UTF_8);
      switch (value) {
        case "error" -> throw new AssertionError("impossible");
        case "output" -> forward(record.withValue(new byte[100_000]));
        case "row" -> Objects.requireNonNull(store).put(Bytes.wrap(KEY), new byte[2_000_000]);
        case "commit" -> bad = true;
        default -> forward(record);
      }
    }

    private void forward(Record<byte[], byte[]> record) {
      Objects.requireNonNull(context)
          .forward(new Record<byte[], Object>(KEY, record.value(), record.timestamp()), "out");
    }

    @Override
    public void close() {
      beforeCommit.end(this);
    }
  }

  @Test
  void recordsThatThreadsFailBy_arePutAsideEachOnce_andTheOthersArePassedOnEachOnce()
      throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      create(broker);
      List<String> good = write(broker);
      try (KafkaStreams streams = streams(broker)) {
        streams.setUncaughtExceptionHandler(
            failure -> {
              deaths.incrementAndGet();
              failed.threadFailed(failure);
              return StreamThreadExceptionResponse.REPLACE_THREAD;
            });
        streams.start();
        await()
            .dontCatchUncaughtExceptions()
            .atMost(TIMEOUT)
            .pollInterval(Duration.ofSeconds(1))
            .untilAsserted(() -> assertThat(read(broker, "letters")).hasSameSizeAs(BAD));
        await()
            .dontCatchUncaughtExceptions()
            .atMost(TIMEOUT)
            .untilAsserted(() -> assertThat(read(broker, "out")).hasSameSizeAs(good));
        assertThat(read(broker, "letters")).containsExactlyElementsOf(BAD);
        assertThat(read(broker, "out")).containsExactlyElementsOf(good);
        assertThat(failed.stuck()).isEmpty();
      }
      System.out.printf("failed records: %d threads for %d of them%n", deaths.get(), BAD.size());
    }
  }

  private static void create(EmbeddedBroker broker) throws Exception {
    try (Admin admin = Admin.create(common(broker))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("in", 1, (short) 1),
                  new NewTopic("out", 1, (short) 1).configs(Map.of("max.message.bytes", "10000")),
                  new NewTopic("letters", 1, (short) 1)))
          .all()
          .get();
    }
  }

  /** Each bad value has five good ones before it. */
  private static List<String> write(EmbeddedBroker broker) {
    List<String> good = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(common(broker), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < GOOD; i++) {
        good.add("good-" + i + LONG);
        producer.send(record("good-" + i + LONG));
        if (i % 5 == 4) {
          producer.send(record(BAD.get(i / 5)));
        }
      }
    }
    return good;
  }

  private static ProducerRecord<byte[], byte[]> record(String value) {
    return new ProducerRecord<>("in", KEY, value.getBytes(StandardCharsets.UTF_8));
  }

  private KafkaStreams streams(EmbeddedBroker broker) {
    EnforcerMetrics metrics = new EnforcerMetrics(new SimpleMeterRegistry());
    Topology topology = new Topology();
    topology
        .addSource(
            AutoOffsetReset.earliest(),
            "in",
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer(),
            "in")
        .addProcessor(
            "failing", () -> new GuardedProcessor(new Failing(), failed, metrics, "letters"), "in")
        .addStateStore(Stores.keyValue(Stores.LEDGER), "failing")
        .addSink("out", "out", new ByteArraySerializer(), new ByteArraySerializer(), "failing")
        .addSink(
            "letters", "letters", new ByteArraySerializer(), new ByteArraySerializer(), "failing");
    Properties properties = new Properties();
    properties.putAll(common(broker));
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "failed-records");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    properties.put(StreamsConfig.producerPrefix("max.request.size"), 4_000_000);
    properties.put(StreamsConfig.consumerPrefix("session.timeout.ms"), SESSION_MILLIS);
    return new KafkaStreams(
        topology,
        properties,
        new CommitCountingClients(
            new HandOver("quota.usage"), beforeCommit, failed, new OwnRecords(), metrics));
  }

  private static List<String> read(EmbeddedBroker broker, String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    Map<String, Object> properties = common(broker);
    properties.put("isolation.level", "read_committed");
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(each -> values.add(each.value()));
      }
    }
    return values;
  }

  private static Map<String, Object> common(EmbeddedBroker broker) {
    return new java.util.HashMap<>(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }
}
