package io.quotaenforcer.enforcer.it;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Reads and writes topics as bytes. */
final class TopicTap implements AutoCloseable {
  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> consumer;

  TopicTap(String bootstrapServers) {
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
  }

  int partitions(String topic) {
    return producer.partitionsFor(topic).size();
  }

  void write(String topic, int partition, byte[] key, byte[] value) {
    producer.send(new ProducerRecord<>(topic, partition, key, value));
    producer.flush();
  }

  /** Writes records once more to where they were read from. */
  void repeat(List<ConsumerRecord<byte[], byte[]>> records) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      producer.send(
          new ProducerRecord<>(record.topic(), record.partition(), record.key(), record.value()));
    }
    producer.flush();
  }

  /** All that is committed now, by partition and in its order there. */
  List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (int i = 0; i < partitions(topic); i++) {
      partitions.add(new TopicPartition(topic, i));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    await()
        .pollInSameThread()
        .atMost(Duration.ofSeconds(10))
        .until(
            () -> {
              consumer.poll(Duration.ofMillis(50)).forEach(records::add);
              return partitions.stream().allMatch(p -> consumer.position(p) >= ends.get(p));
            });
    records.sort(
        Comparator.<ConsumerRecord<byte[], byte[]>>comparingInt(ConsumerRecord::partition)
            .thenComparingLong(ConsumerRecord::offset));
    return records;
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}
