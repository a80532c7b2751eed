package io.quotaenforcer.enforcer.transaction;

import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.BrokersException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Transactions of the enforcers of one application, as brokers see them. For one thread. */
final class TransactionAdmin {
  private final Brokers brokers;
  private final Scope scope;
  private final Admin admin;
  private final Map<Long, String> transactionalIds;

  /**
   * Where to look.
   *
   * @param applicationId of the enforcers: their group's name, which their transactional ids and
   *     changelogs begin with
   * @param topics that they read and write, besides
   */
  record Scope(String applicationId, Set<String> topics) {}

  /**
   * @throws BrokersException if the brokers do not answer
   */
  TransactionAdmin(Brokers brokers, Scope scope) {
    this.brokers = brokers;
    this.scope = scope;
    this.admin = brokers.admin();
    this.transactionalIds = transactionalIds();
  }

  /** Open transactions of these enforcers' producers, as the partitions' leaders know them. */
  List<OpenTransaction> open() {
    List<OpenTransaction> open = new ArrayList<>();
    brokers
        .get("look for open transactions", admin.describeProducers(partitions()).all())
        .forEach(
            (partition, producers) ->
                producers.activeProducers().stream()
                    .filter(producer -> producer.currentTransactionStartOffset().isPresent())
                    .filter(producer -> transactionalIds.containsKey(producer.producerId()))
                    .forEach(producer -> open.add(OpenTransaction.of(partition, producer))));
    return open;
  }

  /**
   * The coordinators' descriptions of the transactions of these enforcers' producers, by producer.
   */
  Map<Long, TransactionDescription> coordinated() {
    Map<Long, TransactionDescription> found = new HashMap<>();
    brokers
        .get("describe transactions", admin.describeTransactions(transactionalIds.values()).all())
        .values()
        .forEach(each -> found.put(each.producerId(), each));
    return found;
  }

  /** The transactional id of a producer whose transaction is open. */
  String transactionalId(OpenTransaction open) {
    return transactionalIds.getOrDefault(open.producerId(), "");
  }

  /** Writes the marker that is missing. */
  void end(OpenTransaction hanging, boolean commit) {
    String topic = hanging.partition().topic();
    @Nullable Node leader =
        Objects.requireNonNull(
                brokers
                    .get("describe " + topic, admin.describeTopics(List.of(topic)).allTopicNames())
                    .get(topic))
            .partitions()
            .get(hanging.partition().partition())
            .leader();
    try {
      TransactionMarker.write(brokers.connection(), leader, hanging, commit);
    } catch (IOException | KafkaException e) {
      throw brokers.failed("end a transaction that hangs", e);
    }
  }

  private Map<Long, String> transactionalIds() {
    Map<Long, String> found = new HashMap<>();
    for (TransactionListing each :
        brokers.get(
            "list transactions", admin.listTransactions(new ListTransactionsOptions()).all())) {
      if (each.transactionalId().startsWith(scope.applicationId + "-")) {
        found.put(each.producerId(), each.transactionalId());
      }
    }
    return found;
  }

  private List<TopicPartition> partitions() {
    List<String> ours =
        brokers
            .get(
                "list topics", admin.listTopics(new ListTopicsOptions().listInternal(true)).names())
            .stream()
            .filter(this::isOurs)
            .toList();
    List<TopicPartition> found = new ArrayList<>();
    for (TopicDescription topic :
        brokers.get("describe topics", admin.describeTopics(ours).allTopicNames()).values()) {
      if (topic.name().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
        int ofGroup = Utils.abs(scope.applicationId.hashCode()) % topic.partitions().size();
        found.add(new TopicPartition(topic.name(), ofGroup));
      } else {
        topic
            .partitions()
            .forEach(each -> found.add(new TopicPartition(topic.name(), each.partition())));
      }
    }
    return found;
  }

  private boolean isOurs(String topic) {
    return topic.equals(Topic.GROUP_METADATA_TOPIC_NAME)
        || topic.startsWith(scope.applicationId + "-")
        || scope.topics.contains(topic);
  }
}
