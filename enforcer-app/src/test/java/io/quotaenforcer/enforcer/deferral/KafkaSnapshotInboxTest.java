package io.quotaenforcer.enforcer.deferral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class KafkaSnapshotInboxTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final TopicPartition PARTITION = new TopicPartition("quota.snapshots", 3);

  private final Queue<MockConsumer<byte[], byte[]>> consumers = new ConcurrentLinkedQueue<>();

  private MockConsumer<byte[], byte[]> nextConsumer() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("latest");
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 0L));
    consumers.add(consumer);
    return consumer;
  }

  @Test
  void error_isSurvivedAndNamed_andSnapshotsComeAfterIt() {
    byte[] key = {1};
    nextConsumer()
        .schedulePollTask(
            () -> {
              throw new StackOverflowError();
            });
    try (KafkaSnapshotInbox inbox =
            new KafkaSnapshotInbox(
                Wire.of("quota.", Codecs.withoutRegistry()), 3, consumers::remove, () -> 7);
        SnapshotInbox.Box box = inbox.open(key)) {
      inbox.start();
      await()
          .atMost(TIMEOUT)
          .untilAsserted(
              () ->
                  assertThat(inbox.trouble())
                      .hasValueSatisfying(why -> assertThat(why).contains("StackOverflowError")));

      MockConsumer<byte[], byte[]> works = nextConsumer();
      works.schedulePollTask(
          () ->
              works.addRecord(new ConsumerRecord<>("quota.snapshots", 3, 0, key, new byte[] {2})));

      await().atMost(TIMEOUT).until(() -> inbox.trouble().isEmpty());
      await()
          .atMost(TIMEOUT)
          .untilAsserted(
              () ->
                  assertThat(box.poll())
                      .isNotNull()
                      .satisfies(received -> assertThat(received.monotonicNanos()).isEqualTo(7)));
    }
  }
}
