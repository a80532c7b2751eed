package io.quotaenforcer.enforcer.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.BrokersException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Markers that are written past the coordinator, as for a transaction that it has forgotten. */
@Timeout(180)
class TransactionMarkerIT {
  private static final AtomicInteger TESTS = new AtomicInteger();
  private static EmbeddedBroker broker;
  private static Brokers brokers;

  /** Each test has its own. */
  private final String application = "counting-" + TESTS.incrementAndGet();

  private final TopicPartition changelog = new TopicPartition(application + "-changelog", 0);
  private final TransactionAdmin.Scope scope =
      new TransactionAdmin.Scope(application, Set.of("others"));

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
    brokers =
        Brokers.connect(
            KafkaConnection.to(broker.bootstrapServers(), "the test"), Duration.ofSeconds(10));
  }

  @AfterAll
  static void stop() {
    brokers.close();
    broker.close();
  }

  @BeforeEach
  void create() throws Exception {
    NewTopic topic = new NewTopic(changelog.topic(), 1, (short) 1);
    brokers.admin().createTopics(List.of(topic)).all().get();
  }

  private Producer<String, String> begun(String transactionalId, String... records) {
    Producer<String, String> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.bootstrapServers(),
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                transactionalId),
            new StringSerializer(),
            new StringSerializer());
    producer.initTransactions();
    producer.beginTransaction();
    for (String record : records) {
      producer.send(new ProducerRecord<>(changelog.topic(), record));
    }
    producer.flush();
    return producer;
  }

  private List<String> committed() {
    try (Consumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.bootstrapServers(),
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(changelog));
      consumer.seekToBeginning(List.of(changelog));
      long end = consumer.endOffsets(List.of(changelog)).get(changelog);
      List<String> records = new ArrayList<>();
      await()
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(50)).forEach(each -> records.add(each.value()));
                return consumer.position(changelog) >= end;
              });
      return records;
    }
  }

  @Test
  void openTransaction_isFound_withWhatItsCoordinatorSays() {
    try (Producer<String, String> ours = begun(application + "-1", "a");
        Producer<String, String> foreign = begun("foreign-" + application, "b")) {
      TransactionAdmin admin = new TransactionAdmin(brokers, scope);
      List<OpenTransaction> open = admin.open();
      Map<Long, TransactionDescription> coordinated = admin.coordinated();

      assertThat(open)
          .singleElement()
          .satisfies(
              each -> {
                assertThat(each.partition()).isEqualTo(changelog);
                assertThat(each.start()).isZero();
                assertThat(coordinated.get(each.producerId()).state())
                    .isEqualTo(TransactionState.ONGOING);
              });
      assertThat(HangingTransactions.suspects(open, coordinated)).isEmpty();
      ours.abortTransaction();
      foreign.abortTransaction();
    }
  }

  @Test
  void marker_thatCommits_letsReadersGoOn_withWhatWasWritten() {
    try (Producer<String, String> producer = begun(application + "-1", "a", "b")) {
      assertThat(committed()).isEmpty();
      endAll(true);

      assertThat(committed()).containsExactly("a", "b");
      assertThat(new TransactionAdmin(brokers, scope).open()).isEmpty();
    }
  }

  @Test
  void marker_thatAborts_letsReadersGoOn_withoutIt() {
    try (Producer<String, String> producer = begun(application + "-1", "a", "b")) {
      endAll(false);
    }
    try (Producer<String, String> producer = begun(application + "-2", "c")) {
      producer.commitTransaction();

      await().untilAsserted(() -> assertThat(committed()).containsExactly("c"));
    }
  }

  @Test
  void marker_ofAnOlderEpoch_isRefused() {
    try (Producer<String, String> producer = begun(application + "-1", "a")) {
      TransactionAdmin admin = new TransactionAdmin(brokers, scope);
      OpenTransaction open = admin.open().get(0);
      OpenTransaction older =
          new OpenTransaction(
              open.partition(),
              open.producerId(),
              open.epoch() - 1,
              open.coordinatorEpoch(),
              open.start());

      assertThatThrownBy(() -> admin.end(older, true)).isInstanceOf(BrokersException.class);
      assertThat(committed()).isEmpty();
    }
  }

  private void endAll(boolean commit) {
    TransactionAdmin admin = new TransactionAdmin(brokers, scope);
    List<OpenTransaction> open = admin.open();
    assertThat(open).hasSize(1);
    open.forEach(each -> admin.end(each, commit));
  }
}
