package io.quotaenforcer.enforcer.rules;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads committed records of a topic of one partition. Its consumer is opened when needed. */
final class KafkaLogReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long RETRY_NANOS = 2_000_000L;

  private final TopicPartition partition;
  private final Duration timeout;
  private final LongSupplier nanoClock;
  private final LogFailures failures;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private @Nullable Consumer<byte[], byte[]> consumer;

  /**
   * @param timeout longest time for an answer, and for which a read may not get on
   * @param nanoClock monotonic nanoseconds
   */
  KafkaLogReader(
      Map<String, Object> clientSettings, String topic, Duration timeout, LongSupplier nanoClock) {
    this(clientSettings, topic, timeout, nanoClock, () -> open(clientSettings));
  }

  KafkaLogReader(
      Map<String, Object> clientSettings,
      String topic,
      Duration timeout,
      LongSupplier nanoClock,
      Supplier<Consumer<byte[], byte[]>> consumers) {
    this.partition = new TopicPartition(topic, 0);
    this.timeout = timeout;
    this.nanoClock = nanoClock;
    this.failures = new LogFailures(Map.copyOf(clientSettings), timeout);
    this.consumers = consumers;
  }

  private static Consumer<byte[], byte[]> open(Map<String, Object> clientSettings) {
    Map<String, Object> settings = new HashMap<>(clientSettings);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    // A read waits for the fetch that the last one left under way at the end of the topic.
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** From an offset to the present end of the log. */
  RulesLog.Chunk readFrom(long offset) {
    try {
      Consumer<byte[], byte[]> from = consumer();
      long end = from.endOffsets(List.of(partition), timeout).getOrDefault(partition, 0L);
      from.seek(partition, offset);
      return new RulesLog.Chunk(read(from, end), end);
    } catch (KafkaException e) {
      throw failures.failed("read", partition.topic(), LogFailures.Aftermath.NOTHING_WRITTEN, e);
    }
  }

  /**
   * Waits until everything committed up to an offset can be read: Kafka acknowledges a commit a
   * little earlier. Gives up when its time is over, since everything is written in any case.
   */
  void awaitReadable(long offset) {
    long deadline = nanoClock.getAsLong() + timeout.toNanos();
    try {
      while (consumer().endOffsets(List.of(partition), timeout).getOrDefault(partition, 0L)
              <= offset
          && nanoClock.getAsLong() - deadline < 0) {
        LockSupport.parkNanos(RETRY_NANOS);
      }
    } catch (KafkaException e) {
      throw failures.failed("read", partition.topic(), LogFailures.Aftermath.UNKNOWN, e);
    }
  }

  /** However long it takes, as long as it gets on. */
  private List<RulesLog.Entry> read(Consumer<byte[], byte[]> from, long end) {
    List<RulesLog.Entry> entries = new ArrayList<>();
    long position = from.position(partition, timeout);
    long progressNanos = nanoClock.getAsLong();
    while (position < end) {
      if (nanoClock.getAsLong() - progressNanos > timeout.toNanos()) {
        throw failures.stalled(partition.topic(), position, end);
      }
      for (ConsumerRecord<byte[], byte[]> record : from.poll(POLL)) {
        String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
        entries.add(new RulesLog.Entry(record.offset(), record.timestamp(), key, record.value()));
      }
      long reached = from.position(partition, timeout);
      if (reached > position) {
        position = reached;
        progressNanos = nanoClock.getAsLong();
      }
    }
    // A record written meanwhile belongs to the next read.
    entries.removeIf(entry -> entry.offset() >= end);
    return entries;
  }

  @Override
  public void close() {
    if (consumer != null) {
      consumer.close();
    }
  }

  private Consumer<byte[], byte[]> consumer() {
    if (consumer == null) {
      Consumer<byte[], byte[]> opened = consumers.get();
      try {
        checkTopic(opened.partitionsFor(partition.topic(), timeout));
        opened.assign(List.of(partition));
      } catch (RuntimeException e) {
        opened.close();
        throw e;
      }
      consumer = opened;
    }
    return consumer;
  }

  private void checkTopic(@Nullable List<PartitionInfo> partitions) {
    if (partitions == null || partitions.isEmpty()) {
      throw new UnknownTopicOrPartitionException(partition.topic());
    }
    if (partitions.size() != 1) {
      throw new RulesException(
          "topic %s must have one partition, not %s: the order of rules would be lost; create it anew"
              .formatted(partition.topic(), partitions.size()));
    }
  }
}
