package io.quotaenforcer.enforcer.topics;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic up to where it ends now, without a consumer group: nobody notices. */
public final class TopicReader {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Brokers brokers;
  private final LongSupplier monotonicNanos;

  public TopicReader(Brokers brokers, LongSupplier monotonicNanos) {
    this.brokers = brokers;
    this.monotonicNanos = monotonicNanos;
  }

  /**
   * Passes on all that is committed, partition by partition as it comes.
   *
   * @param sinceMillis epoch milliseconds before which nothing is read
   * @throws BrokersException when the brokers do not answer
   */
  public void read(
      String topic, Optional<Long> sinceMillis, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    Map<String, Object> properties = new HashMap<>(brokers.connection().consumerProperties());
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
        Math.toIntExact(brokers.timeout().toMillis()));
    properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      read(consumer, topic, sinceMillis, sink);
    } catch (KafkaException e) {
      throw brokers.failed("read topic " + topic, e);
    }
  }

  private void read(
      KafkaConsumer<byte[], byte[]> consumer,
      String topic,
      Optional<Long> sinceMillis,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    sinceMillis.ifPresent(since -> seek(consumer, since, ends));
    long progress = monotonicNanos.getAsLong();
    while (partitions.stream().anyMatch(it -> consumer.position(it) < end(ends, it))) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      long now = monotonicNanos.getAsLong();
      if (!records.isEmpty()) {
        progress = now;
      } else if (now - progress > brokers.timeout().toNanos()) {
        throw new TimeoutException("no more records came");
      }
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.offset() < end(ends, new TopicPartition(topic, record.partition()))) {
          sink.accept(record);
        }
      }
    }
  }

  private static void seek(
      KafkaConsumer<byte[], byte[]> consumer, long since, Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> times =
        ends.keySet().stream().collect(Collectors.toMap(partition -> partition, it -> since));
    Map<TopicPartition, OffsetAndTimestamp> from = consumer.offsetsForTimes(times);
    for (TopicPartition partition : ends.keySet()) {
      OffsetAndTimestamp found = from.get(partition);
      consumer.seek(partition, found == null ? end(ends, partition) : found.offset());
    }
  }

  private static long end(Map<TopicPartition, Long> ends, TopicPartition partition) {
    return ends.getOrDefault(partition, 0L);
  }
}
