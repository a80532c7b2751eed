package io.quotaenforcer.bench.topology;

import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The newest snapshots of the first partition. */
final class NewestAnswers {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int NEWEST = 1_000;

  private NewestAnswers() {}

  /** The share of answers that grant something, or renew a lease. */
  static double granting(Wire wire, String bootstrapServers) {
    TopicPartition partition = new TopicPartition(wire.topics().snapshots().name(), 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      long end = Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
      consumer.seek(partition, Math.max(0, end - NEWEST));
      long answers = 0;
      long granting = 0;
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          // An empty one is to nobody: an enforcer asks for the brokers' time.
          if (record.serializedValueSize() <= 0) {
            continue;
          }
          for (QuotaAnswer answer : wire.decodeSnapshot(record.value()).quotas()) {
            answers++;
            granting += answer.cells().stream().allMatch(CellGrant::isEnded) ? 0 : 1;
          }
        }
      }
      return answers == 0 ? 0 : (double) granting / answers;
    }
  }
}
