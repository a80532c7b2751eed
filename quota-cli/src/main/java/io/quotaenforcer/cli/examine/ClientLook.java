package io.quotaenforcer.cli.examine;

import io.quotaenforcer.cli.doctor.ClientFacts;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Looks at the newest usage reports of each partition, and who wrote them. */
final class ClientLook {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LATE = Duration.ofMinutes(5);

  /** Of each partition; several instances report to each a few times in a second. */
  private static final int NEWEST = 100;

  /** Reasons for which reports are unreadable differ in details of each record. */
  private static final int MOST_REASONS = 3;

  private final Brokers brokers;
  private final Wire wire;
  private final SchemaVersions versions;
  private final LongSupplier epochMillis;
  private final Map<String, Integer> instances = new HashMap<>();
  private final Map<String, Integer> unreadable = new HashMap<>();

  ClientLook(Brokers brokers, Wire wire, Codecs codecs, LongSupplier epochMillis) {
    this.brokers = brokers;
    this.wire = wire;
    this.epochMillis = epochMillis;
    this.versions =
        new SchemaVersions(
            "UsageReport",
            id ->
                codecs
                    .registry()
                    .orElseThrow(
                        () ->
                            new CodecException(
                                CodecException.Reason.REGISTRY_REQUIRED,
                                "reports name schemas of a registry: set schema.registry.url"))
                    .schemaOf(id));
  }

  ClientFacts facts() {
    String topic = wire.topics().usage().name();
    Map<String, Object> properties = new HashMap<>(brokers.connection().consumerProperties());
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
        Math.toIntExact(brokers.timeout().toMillis()));
    properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      read(consumer, topic);
    } catch (KafkaException e) {
      throw brokers.failed("read topic " + topic, e);
    }
    Map<Integer, Integer> byVersion = new HashMap<>();
    instances.values().forEach(version -> byVersion.merge(version, 1, Integer::sum));
    return new ClientFacts(byVersion, versions.present(), unreadable);
  }

  private void read(KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> firsts = consumer.beginningOffsets(partitions);
    ends.forEach(
        (partition, end) ->
            consumer.seek(partition, Math.max(firsts.getOrDefault(partition, 0L), end - NEWEST)));
    long sinceMillis = epochMillis.getAsLong() - LATE.toMillis();
    int quietPolls = 0;
    long mostQuiet = Math.max(1, brokers.timeout().dividedBy(POLL));
    while (quietPolls < mostQuiet
        && ends.entrySet().stream()
            .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      quietPolls = records.isEmpty() ? quietPolls + 1 : 0;
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.timestamp() >= sinceMillis && record.value() != null) {
          take(record.value());
        }
      }
    }
  }

  private void take(byte[] report) {
    try {
      int version = versions.of(report);
      instances.merge(wire.decodeReport(report).holder().toString(), version, Math::min);
    } catch (RuntimeException e) {
      String why = String.valueOf(e.getMessage());
      if (unreadable.size() < MOST_REASONS || unreadable.containsKey(why)) {
        unreadable.merge(why, 1, Integer::sum);
      }
    }
  }
}
