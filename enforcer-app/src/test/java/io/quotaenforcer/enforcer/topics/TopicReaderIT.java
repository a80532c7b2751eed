package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.topics.LentConsumer.Deleted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A topic of ten records, of which brokers have deleted the first six. */
@Timeout(180)
class TopicReaderIT {
  private static final String TOPIC = "events";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  private static final int RECORDS = 10;
  private static final int DELETED = 6;
  private static final Duration POLL = Duration.ofMillis(100);

  private static EmbeddedBroker broker;
  private static Brokers brokers;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
    brokers =
        Brokers.connect(KafkaConnection.to(broker.bootstrapServers(), "test"), Brokers.TIMEOUT);
    brokers.get(
        "create", brokers.admin().createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all());
    try (RecordWriter writer = new RecordWriter(brokers)) {
      writer.write(
          IntStream.range(0, RECORDS)
              .mapToObj(i -> new ProducerRecord<byte[], byte[]>(TOPIC, new byte[] {(byte) i}))
              .toList());
    }
    brokers.get(
        "delete",
        brokers
            .admin()
            .deleteRecords(Map.of(PARTITION, RecordsToDelete.beforeOffset(DELETED)))
            .all());
  }

  @AfterAll
  static void stop() {
    brokers.close();
    broker.close();
  }

  private static List<Long> offsets(int from, int to) {
    return LongStream.range(from, to).boxed().toList();
  }

  /** Reads to the end from where the topic began a moment before. */
  private static void read(KafkaConsumer<byte[], byte[]> consumer, List<Long> offsets) {
    consumer.assign(List.of(PARTITION));
    consumer.seek(PARTITION, DELETED - 1);
    while (consumer.position(PARTITION) < RECORDS) {
      consumer.poll(POLL).forEach(record -> offsets.add(record.offset()));
    }
  }

  @Test
  void reading_thatComesTooLateForARecord_fails() {
    List<Long> offsets = new ArrayList<>();

    assertThatThrownBy(
            () ->
                LentConsumer.lend(
                    brokers, TOPIC, Deleted.FAILS, consumer -> read(consumer, offsets)))
        .isInstanceOf(BrokersException.class)
        .hasMessageContaining("records of topic events that were still to be read are gone")
        .extracting(e -> ((BrokersException) e).reason())
        .isEqualTo(BrokersException.Reason.REFUSED);
    assertThat(offsets).isEmpty();
  }

  @Test
  void readingForWhichOnlyWhatIsLeftMatters_goesOnWithThat() {
    List<Long> offsets = new ArrayList<>();

    LentConsumer.lend(brokers, TOPIC, Deleted.IS_PASSED_OVER, consumer -> read(consumer, offsets));

    assertThat(offsets).isEqualTo(offsets(DELETED, RECORDS));
  }

  @Test
  void readFrom_anOffsetThatIsNoMore_readsAndCountsWhatIsLeft() {
    List<Long> offsets = new ArrayList<>();

    boolean isFew =
        new TopicReader(brokers, System::nanoTime)
            .readFrom(
                TOPIC, Map.of(0, 1L), RECORDS - DELETED, record -> offsets.add(record.offset()));

    assertThat(isFew).isTrue();
    assertThat(offsets).isEqualTo(offsets(DELETED, RECORDS));
  }
}
