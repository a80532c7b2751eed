package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A topic of five records, of which each poll brings one, three seconds later. */
class KafkaLogReaderTest {
  private static final String TOPIC = "quota.rules";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  private static final int RECORDS = 5;
  private static final long POLL_NANOS = 3_000_000_000L;

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private long nanos;
  private final KafkaLogReader reader =
      new KafkaLogReader(
          Map.of("bootstrap.servers", "broker:9092"),
          TOPIC,
          Duration.ofSeconds(8),
          () -> nanos,
          () -> consumer);

  KafkaLogReaderTest() {
    Node broker = new Node(0, "broker", 9092);
    Node[] replicas = {broker};
    consumer.updatePartitions(
        TOPIC, List.of(new PartitionInfo(TOPIC, 0, broker, replicas, replicas)));
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, (long) RECORDS));
  }

  private void brings(int offset) {
    consumer.schedulePollTask(
        () -> {
          nanos += POLL_NANOS;
          consumer.addRecord(
              new ConsumerRecord<>(
                  TOPIC, 0, offset, ("a/" + offset).getBytes(StandardCharsets.UTF_8), new byte[1]));
        });
  }

  private void bringNothing(int polls) {
    for (int i = 0; i < polls; i++) {
      consumer.schedulePollTask(() -> nanos += POLL_NANOS);
    }
  }

  @Test
  void slowRead_takesItsTime_whileItGetsOn() {
    for (int i = 0; i < RECORDS; i++) {
      brings(i);
    }

    RulesLog.Chunk read = reader.readFrom(0);

    assertThat(nanos).isEqualTo(RECORDS * POLL_NANOS);
    assertThat(read.endOffset()).isEqualTo(RECORDS);
    assertThat(read.entries())
        .extracting(RulesLog.Entry::key)
        .containsExactly("a/0", "a/1", "a/2", "a/3", "a/4");
  }

  @Test
  void readThatDoesNotGetOn_saysHowFarItCame_andWhatToDo() {
    brings(0);
    brings(1);
    bringNothing(4);

    assertThatThrownBy(() -> reader.readFrom(0))
        .isInstanceOfSatisfying(
            RulesException.class, failure -> assertThat(failure.isUnreachable()).isTrue())
        .hasMessage(
            "nothing more of topic quota.rules on broker:9092 came within 8 s: stopped at offset 2"
                + " of 5; check whether the brokers are up, and raise --connect-timeout if they are"
                + " slow");
  }
}
