package io.quotaenforcer.bench.topology;

import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What an instance reads of the snapshots, and what of that is for it. Instances share partitions.
 *
 * @param records addressed to it
 * @param bytes of these, keys and values
 * @param fetchedBytes by its consumer's own metric
 */
record InstanceMail(long records, long bytes, double fetchedBytes) {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int NEWEST = 1_000;

  /** All that the first instance would have read. */
  static InstanceMail ofFirst(Wire wire, String bootstrapServers) {
    byte[] mine = Identity.snapshotKey(SimulatedReporters.name(0), SimulatedReporters.epoch(0));
    TopicPartition partition = new TopicPartition(wire.topics().snapshots().name(), 0);
    try (KafkaConsumer<byte[], byte[]> consumer = open(bootstrapServers, partition)) {
      long[] addressed = new long[2];
      readFrom(
          0,
          consumer,
          partition,
          record -> {
            if (Arrays.equals(record.key(), mine)) {
              addressed[0]++;
              addressed[1] += record.serializedKeySize() + record.serializedValueSize();
            }
          });
      return new InstanceMail(addressed[0], addressed[1], bytesConsumed(consumer));
    }
  }

  /**
   * The share of answers that grant something, or renew a lease, in the newest snapshots of the
   * first partition.
   */
  static double grantingAnswers(Wire wire, String bootstrapServers) {
    TopicPartition partition = new TopicPartition(wire.topics().snapshots().name(), 0);
    try (KafkaConsumer<byte[], byte[]> consumer = open(bootstrapServers, partition)) {
      long[] answers = new long[2];
      readFrom(
          Math.max(0, end(consumer, partition) - NEWEST),
          consumer,
          partition,
          record -> {
            // An empty one is to nobody: an enforcer asks for the brokers' time.
            if (record.serializedValueSize() <= 0) {
              return;
            }
            for (QuotaAnswer answer : wire.decodeSnapshot(record.value()).quotas()) {
              answers[0]++;
              answers[1] += answer.cells().stream().allMatch(CellGrant::isEnded) ? 0 : 1;
            }
          });
      return answers[0] == 0 ? 0 : (double) answers[1] / answers[0];
    }
  }

  private static KafkaConsumer<byte[], byte[]> open(String servers, TopicPartition partition) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(List.of(partition));
    return consumer;
  }

  private static long end(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
    return Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
  }

  private static void readFrom(
      long offset,
      KafkaConsumer<byte[], byte[]> consumer,
      TopicPartition partition,
      Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    long end = end(consumer, partition);
    consumer.seek(partition, offset);
    while (consumer.position(partition) < end) {
      consumer.poll(POLL).forEach(reader);
    }
  }

  private static double bytesConsumed(KafkaConsumer<byte[], byte[]> consumer) {
    return consumer.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals("bytes-consumed-total"))
        .filter(metric -> !metric.getKey().tags().containsKey("topic"))
        .mapToDouble(metric -> ((Number) metric.getValue().metricValue()).doubleValue())
        .findFirst()
        .orElseThrow();
  }
}
