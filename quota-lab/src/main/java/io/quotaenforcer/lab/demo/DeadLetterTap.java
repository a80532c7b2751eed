package io.quotaenforcer.lab.demo;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads which deferred requests have become dead letters. */
final class DeadLetterTap implements AutoCloseable {
  private final KafkaConsumer<byte[], byte[]> consumer;

  DeadLetterTap(String bootstrapServers) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    TopicPartition partition = new TopicPartition("quota.dead-letters", 0);
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    // Each short poll would advance only one step towards the first record.
    consumer.position(partition);
  }

  /** Passes on the id of each new one. */
  void poll(Consumer<String> onId) {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(1))) {
      Header id = record.headers().lastHeader("deferred-id");
      if (id != null) {
        onId.accept(new String(id.value(), StandardCharsets.UTF_8));
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
