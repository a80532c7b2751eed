package io.quotaenforcer.bench.topology;

import io.quotaenforcer.client.kafka.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What an instance reads of the snapshots, and what of that is for it. Instances share partitions.
 *
 * @param addressed to it
 * @param fetchedBytes by its consumer's own metric
 */
record InstanceMail(GrowthResult.Addressed addressed, double fetchedBytes) {
  private static final Duration POLL = Duration.ofMillis(200);

  /** All that the first instance would have read. */
  static InstanceMail ofFirst(Wire wire, String bootstrapServers) {
    byte[] mine = Identity.snapshotKey(SimulatedReporters.name(0), SimulatedReporters.epoch(0));
    TopicPartition partition = new TopicPartition(wire.topics().snapshots().name(), 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers, "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      long end = Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
      long records = 0;
      long bytes = 0;
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (Arrays.equals(record.key(), mine)) {
            records++;
            bytes += record.serializedKeySize() + record.serializedValueSize();
          }
        }
      }
      return new InstanceMail(new GrowthResult.Addressed(records, bytes), bytesConsumed(consumer));
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
