package io.quotaenforcer.lab.it;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
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
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "linger.ms",
                0,
                "max.request.size",
                8 << 20,
                "enable.idempotence",
                false),
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

  /**
   * A record, and whether the broker took it.
   *
   * @param isRefused for its size or its time
   */
  record Written(ProducerRecord<byte[], byte[]> record, boolean isRefused) {}

  /** Those that a broker may refuse travel alone, as it refuses all that came with them. */
  List<Written> writeAll(List<ProducerRecord<byte[], byte[]>> records) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record : records) {
      boolean alone = record.timestamp() != null || record.key() == null;
      if (alone) {
        producer.flush();
      }
      sent.add(producer.send(record));
      if (alone) {
        producer.flush();
      }
    }
    producer.flush();
    List<Written> written = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      written.add(new Written(records.get(i), isRefused(sent.get(i))));
    }
    return written;
  }

  private static boolean isRefused(Future<RecordMetadata> sent) {
    try {
      sent.get();
      return false;
    } catch (ExecutionException e) {
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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
        .atMost(Duration.ofSeconds(60))
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
