package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.transaction.OwnRecords;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class CommitCountingClientsIT {
  private static final String TOPIC = "records";
  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() throws ExecutionException, InterruptedException {
    broker = EmbeddedBroker.start();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
    }
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void commit_isCountedOnItsThreadOnceItIsDone_abortIsNot() throws Exception {
    long before = ThreadCommits.current().count();
    try (Producer<byte[], byte[]> producer = producer("counted")) {
      producer.initTransactions();
      write(producer);
      assertThat(ThreadCommits.current().count()).isEqualTo(before);
      producer.commitTransaction();
      assertThat(ThreadCommits.current().count()).isEqualTo(before + 1);
      write(producer);
      producer.abortTransaction();
      assertThat(ThreadCommits.current().count()).isEqualTo(before + 1);
    }
  }

  @Test
  void commit_ofAFencedProducer_isNotCounted() throws Exception {
    long before = ThreadCommits.current().count();
    try (Producer<byte[], byte[]> zombie = producer("fenced");
        Producer<byte[], byte[]> successor = producer("fenced")) {
      zombie.initTransactions();
      write(zombie);
      successor.initTransactions();
      assertThatThrownBy(zombie::commitTransaction).isInstanceOf(ProducerFencedException.class);
      assertThat(ThreadCommits.current().count()).isEqualTo(before);
    }
  }

  /** As of an enforcer that stands still: the coordinator aborts its transaction meanwhile. */
  @Test
  void commit_ofATransactionThatTimedOut_isThatOfAFencedProducer() throws Exception {
    long before = ThreadCommits.current().count();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        Producer<byte[], byte[]> paused =
            producer("paused", Map.of(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 100))) {
      paused.initTransactions();
      write(paused);
      await().until(() -> state(admin, "paused") == TransactionState.COMPLETE_ABORT);

      assertThatThrownBy(paused::commitTransaction).isInstanceOf(ProducerFencedException.class);

      assertThat(ThreadCommits.current().count()).isEqualTo(before);
    }
  }

  private static TransactionState state(Admin admin, String id) throws Exception {
    return admin.describeTransactions(List.of(id)).description(id).get().state();
  }

  @Test
  void workThatWasLeftToTheEnd_isPartOfTheTransaction() throws Exception {
    BeforeCommit beforeCommit = new BeforeCommit();
    beforeCommit.begin(
        this, transaction -> transaction.send(TOPIC, 0, bytes("late"), bytes("value")));
    try (Producer<byte[], byte[]> producer = producer("finished", beforeCommit)) {
      producer.initTransactions();
      finish(producer);
      producer.abortTransaction();
      assertThat(committedLate()).isZero();
      finish(producer);
      producer.commitTransaction();
      assertThat(committedLate()).isEqualTo(1);
      beforeCommit.end(this);
      finish(producer);
      producer.commitTransaction();
      assertThat(committedLate()).isEqualTo(1);
    }
  }

  @Test
  void poll_ofRecordsThatWereDeleted_isCountedAndThrown() throws Exception {
    TopicPartition partition = new TopicPartition("deleted", 0);
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    CommitCountingClients clients =
        new CommitCountingClients(
            new HandOver("quota.usage"),
            new BeforeCommit(),
            new FailedRecords(),
            new OwnRecords(),
            new EnforcerMetrics(registry));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        Producer<byte[], byte[]> producer = producer("deleted");
        Consumer<byte[], byte[]> consumer = clients.getConsumer(consuming())) {
      admin.createTopics(List.of(new NewTopic("deleted", 1, (short) 1))).all().get();
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("deleted", bytes("value"))).get();
      producer.commitTransaction();
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1))).all().get();
      consumer.assign(List.of(partition));
      consumer.seek(partition, 0);

      assertThatThrownBy(() -> pollUntilItThrows(consumer))
          .isInstanceOf(OffsetOutOfRangeException.class);

      assertThat(registry.counter("quota.records.lost", "topic", "deleted").count()).isOne();
    }
  }

  private static void pollUntilItThrows(Consumer<byte[], byte[]> consumer) {
    await()
        .until(
            () -> {
              consumer.poll(Duration.ofMillis(100));
              return false;
            });
  }

  /** As Kafka Streams has it where sources say themselves where they begin. */
  private static Map<String, Object> consuming() {
    return Map.of(
        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
        broker.bootstrapServers(),
        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
        "none");
  }

  private static void finish(Producer<byte[], byte[]> producer) {
    producer.beginTransaction();
    producer.sendOffsetsToTransaction(
        Map.of(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(0)),
        new ConsumerGroupMetadata("group"));
  }

  private static int committedLate() {
    TopicPartition partition = new TopicPartition(TOPIC, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      int late = 0;
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          late += Arrays.equals(record.key(), bytes("late")) ? 1 : 0;
        }
      }
      return late;
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void write(Producer<byte[], byte[]> producer) throws Exception {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(TOPIC, "value".getBytes(StandardCharsets.UTF_8))).get();
  }

  private static Producer<byte[], byte[]> producer(String id) {
    return producer(id, new BeforeCommit());
  }

  private static Producer<byte[], byte[]> producer(String id, BeforeCommit beforeCommit) {
    return producer(id, beforeCommit, Map.of());
  }

  private static Producer<byte[], byte[]> producer(String id, Map<String, Object> more) {
    return producer(id, new BeforeCommit(), more);
  }

  private static Producer<byte[], byte[]> producer(
      String id, BeforeCommit beforeCommit, Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(more);
    config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
    return new CommitCountingClients(
            new HandOver("quota.usage"),
            beforeCommit,
            new FailedRecords(),
            new OwnRecords(),
            new EnforcerMetrics(new SimpleMeterRegistry()))
        .getProducer(config);
  }
}
