package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Records in the rules topic other than rules: the facts fixed for the prefix, and the schemas that
 * records are written with.
 */
final class PrefixRecord {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Brokers brokers;
  private final Wire wire;
  private final Duration timeout;
  private final LongSupplier monotonicNanos;
  private final TopicPartition partition;

  /**
   * Contents found.
   *
   * @param announced keys of schemas
   */
  record Content(Optional<PrefixInfo> prefix, Set<String> announced) {
    static final Content NONE = new Content(Optional.empty(), Set.of());
  }

  /**
   * @param timeout for reading it, and for writing it
   */
  PrefixRecord(Brokers brokers, Wire wire, Duration timeout, LongSupplier monotonicNanos) {
    this.brokers = brokers;
    this.wire = wire;
    this.timeout = timeout;
    this.monotonicNanos = monotonicNanos;
    this.partition = new TopicPartition(wire.topics().rules().name(), 0);
  }

  /** Reads the rules topic, which must exist, from its beginning. */
  Content read() {
    Map<String, Object> properties = new HashMap<>(brokers.connection().consumerProperties());
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(timeout.toMillis()));
    properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return read(consumer);
    } catch (KafkaException e) {
      throw brokers.failed("read topic " + partition.topic(), e);
    }
  }

  /** Writes the record, and returns once it is safe. */
  void write(PrefixInfo prefix, long nowMillis) {
    write(Map.of(Topics.PREFIX_KEY, wire.encode(prefix, nowMillis)));
  }

  /**
   * Announces the schemas that this program writes with, so that older processes can read its
   * records, and returns once that is safe.
   *
   * @param announced keys of those that are
   */
  void announce(Set<String> announced) {
    Map<String, byte[]> missing = new TreeMap<>(wire.announcements());
    missing.keySet().removeAll(announced);
    if (!missing.isEmpty()) {
      write(missing);
    }
  }

  private void write(Map<String, byte[]> records) {
    int millis = Math.toIntExact(timeout.toMillis());
    Map<String, Object> properties = new HashMap<>(brokers.connection().producerProperties());
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      Sends.all(
          producer,
          records.entrySet().stream().map(each -> record(each.getKey(), each.getValue())).toList(),
          millis + 1_000L);
    } catch (ExecutionException e) {
      throw failedWrite(e.getCause() == null ? e : e.getCause());
    } catch (java.util.concurrent.TimeoutException | KafkaException e) {
      throw failedWrite(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failedWrite(e);
    }
  }

  private ProducerRecord<byte[], byte[]> record(String key, byte[] value) {
    return new ProducerRecord<>(partition.topic(), 0, key.getBytes(StandardCharsets.UTF_8), value);
  }

  private Content read(KafkaConsumer<byte[], byte[]> consumer) {
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    long deadline = monotonicNanos.getAsLong() + timeout.toNanos();
    byte @Nullable [] found = null;
    Set<String> announced = new HashSet<>();
    while (consumer.position(partition) < end) {
      if (monotonicNanos.getAsLong() - deadline > 0) {
        throw new TimeoutException("stopped at offset " + consumer.position(partition));
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        String key = new String(record.key(), StandardCharsets.UTF_8);
        if (record.value() != null && key.equals(Topics.PREFIX_KEY)) {
          found = record.value();
        } else if (record.value() != null && Wire.isAnnouncement(key)) {
          wire.learn(key, record.value());
          announced.add(key);
        }
      }
    }
    return new Content(Optional.ofNullable(found).map(wire::decodePrefix), announced);
  }

  private BrokersException failedWrite(Throwable cause) {
    return brokers.failed("write to topic " + partition.topic(), cause);
  }
}
