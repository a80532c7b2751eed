package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.enforcer.store.Stores;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Detects that brokers have forgotten how far enforcers had read, as they do after {@code
 * offsets.retention.minutes} (7 days) of absence, while the counts are still there. Enforcers would
 * then read each topic from its beginning, count its records again, and release deferred requests
 * again.
 */
public final class ForgottenOffsets {
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(100);

  private ForgottenOffsets() {}

  /**
   * The problem and its remedy; empty if offsets are known, or nothing was counted yet.
   *
   * @param applicationId of the enforcers, which is their group's name
   * @throws BrokersException if the brokers do not answer
   */
  public static Optional<String> complaint(Brokers brokers, String applicationId) {
    boolean known =
        !brokers
            .get(
                "read the offsets of " + applicationId,
                brokers
                    .admin()
                    .listConsumerGroupOffsets(applicationId)
                    .partitionsToOffsetAndMetadata())
            .isEmpty();
    String changelog = Stores.changelog(applicationId, Stores.LEDGER);
    return known || !holdsRows(brokers, changelog)
        ? Optional.empty()
        : Optional.of(
            "nobody knows any more how far the enforcers had read: the brokers forgot the offsets of group %s, which was away for longer than their offsets.retention.minutes. Read from the beginning, topics would be counted, and deferred requests released, a second time. Say from when on to read, such as the time at which the last enforcer stopped: kafka-consumer-groups.sh --bootstrap-server ... --group %s --reset-offsets --to-datetime 2026-01-31T12:00:00.000 --all-topics --execute (where it knows no topic: one --topic for each of usage, usage-events, request-events and deferred)"
                .formatted(applicationId, applicationId));
  }

  /** Whether a row was ever committed; aborted ones do not count. */
  private static boolean holdsRows(Brokers brokers, String changelog) {
    if (!brokers.get("list topics", brokers.admin().listTopics().names()).contains(changelog)) {
      return false;
    }
    List<TopicPartition> partitions =
        brokers
            .get(
                "describe " + changelog,
                brokers.admin().describeTopics(List.of(changelog)).allTopicNames())
            .values()
            .stream()
            .flatMap(topic -> topic.partitions().stream())
            .map(partition -> new TopicPartition(changelog, partition.partition()))
            .toList();
    Map<String, Object> properties = new HashMap<>(brokers.connection().consumerProperties());
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
        Math.toIntExact(brokers.timeout().toMillis()));
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long until = System.nanoTime() + LONGEST_LOOK.toNanos();
      while (System.nanoTime() - until < 0) {
        if (!consumer.poll(POLL).isEmpty()) {
          return true;
        }
        if (ends.entrySet().stream()
            .allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
          return false;
        }
      }
    }
    return false;
  }
}
