package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.enforcer.store.Stores;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Detects that brokers have forgotten how far enforcers had read, as they do after {@code
 * offsets.retention.minutes} (7 days) of absence, while the counts are still there. Enforcers would
 * then read each topic from its beginning, count its records again, and release deferred requests
 * again.
 */
public final class ForgottenOffsets {
  private ForgottenOffsets() {}

  /**
   * The problem and its remedy, also where it cannot be told whether there is one; empty if offsets
   * are known, or nothing was counted yet.
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
    return known
        ? Optional.empty()
        : complaint(countedBefore(brokers, applicationId), applicationId, brokers.timeout());
  }

  /**
   * Of a group without offsets.
   *
   * @param counted a record of the ledgers' changelog
   * @param patience with which it was looked for
   */
  static Optional<String> complaint(
      CommittedRecord counted, String applicationId, Duration patience) {
    return switch (counted) {
      case NONE -> Optional.empty();
      case THERE ->
          Optional.of(
              "nobody knows any more how far the enforcers had read: the brokers forgot the offsets of group %s, which was away for longer than their offsets.retention.minutes. Read from the beginning, topics would be counted, and deferred requests released, a second time. Say from when on to read, such as the time at which the last enforcer stopped: kafka-consumer-groups.sh --bootstrap-server ... --group %s --reset-offsets --to-datetime 2026-01-31T12:00:00.000 --all-topics --execute (where it knows no topic: one --topic for each of usage, usage-events, request-events and deferred)"
                  .formatted(applicationId, applicationId));
      case NOT_KNOWN -> {
        String changelog = Stores.changelog(applicationId, Stores.LEDGER);
        yield Optional.of(
            "cannot tell whether the brokers forgot how far the enforcers had read: group %s has no offsets, and of topic %s, which says whether anything was counted before, nothing more came for %d s. If something was, topics would be counted, and deferred requests released, a second time. Try again, with a longer --connect-timeout ($QUOTA_CONNECT_TIMEOUT) where brokers are slow; if it stays so, see whether each partition has a leader: kafka-topics.sh --bootstrap-server ... --describe --topic %s"
                .formatted(applicationId, changelog, patience.toSeconds(), changelog));
      }
    };
  }

  private static CommittedRecord countedBefore(Brokers brokers, String applicationId) {
    String changelog = Stores.changelog(applicationId, Stores.LEDGER);
    if (!brokers.get("list topics", brokers.admin().listTopics().names()).contains(changelog)) {
      return CommittedRecord.NONE;
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
    // Where the topic begins later meanwhile, not at its end: there it would seem to be empty.
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
        Math.toIntExact(brokers.timeout().toMillis()));
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return CommittedRecord.in(partitions, consumer, brokers.timeout(), System::nanoTime);
    } catch (KafkaException e) {
      throw brokers.failed("read topic " + changelog, e);
    }
  }
}
