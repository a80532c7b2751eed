package io.quotaenforcer.cli.examine;

import io.quotaenforcer.cli.doctor.BrokerFacts;
import io.quotaenforcer.cli.doctor.BrokerFacts.Lacking;
import io.quotaenforcer.cli.doctor.DiskFacts.Disk;
import io.quotaenforcer.cli.doctor.Reach;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.SafeTransactions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/** Looks at brokers: where they are, their features, replicas and disks. */
final class BrokerLook {
  /** Topics of Kafka's own, without which groups and transactions stand still. */
  private static final Set<String> OF_KAFKA = Set.of("__consumer_offsets", "__transaction_state");

  private final Brokers brokers;

  BrokerLook(Brokers brokers) {
    this.brokers = brokers;
  }

  Reach reach() {
    List<Reach.Port> ports =
        nodes().stream().map(node -> Ports.ask(node.host(), node.port())).toList();
    return new Reach.Answered(brokers.connection().bootstrapServers(), ports);
  }

  private Collection<Node> nodes() {
    return brokers.get("list the brokers", brokers.admin().describeCluster().nodes());
  }

  /**
   * Features of the cluster, and replicas of topics.
   *
   * @param topics of the prefix
   * @param applicationId with which the names of changelogs begin
   */
  BrokerFacts facts(Set<String> topics, String applicationId) {
    FinalizedVersionRange metadata =
        brokers
            .get(
                "read the features of the cluster",
                brokers.admin().describeFeatures().featureMetadata())
            .finalizedFeatures()
            .get("metadata.version");
    return new BrokerFacts(
        metadata == null ? 0 : metadata.maxVersionLevel(),
        SafeTransactions.complaint(brokers),
        lacking(topics, applicationId));
  }

  private List<Lacking> lacking(Set<String> topics, String applicationId) {
    Set<String> looked = new TreeSet<>();
    for (String name :
        brokers.get(
            "list topics",
            brokers.admin().listTopics(new ListTopicsOptions().listInternal(true)).names())) {
      if (topics.contains(name)
          || name.startsWith(applicationId + "-")
          || OF_KAFKA.contains(name)) {
        looked.add(name);
      }
    }
    List<Lacking> lacking = new ArrayList<>();
    brokers
        .admin()
        .describeTopics(looked)
        .topicNameValues()
        .forEach((name, future) -> answer(future).ifPresent(topic -> add(topic, lacking)));
    return lacking;
  }

  private void add(TopicDescription topic, List<Lacking> lacking) {
    List<TopicPartitionInfo> some =
        topic.partitions().stream()
            .filter(it -> it.leader() == null || it.isr().size() < it.replicas().size())
            .toList();
    if (some.isEmpty()) {
      return;
    }
    int least = leastInSync(topic.name());
    for (TopicPartitionInfo each : some) {
      boolean hasLeader = each.leader() != null && !each.leader().isEmpty();
      lacking.add(
          new Lacking(
              topic.name(),
              each.partition(),
              hasLeader,
              each.isr().size(),
              each.replicas().size(),
              least));
    }
  }

  private int leastInSync(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Map<ConfigResource, KafkaFuture<Config>> asked =
        brokers.admin().describeConfigs(List.of(resource)).values();
    return Optional.ofNullable(asked.get(resource))
        .flatMap(this::answer)
        .map(config -> config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG))
        .map(ConfigEntry::value)
        .map(Integer::parseInt)
        .orElse(1);
  }

  /** The disks that brokers tell of; needs {@code Describe} on the cluster. */
  void disks(List<Disk> disks, List<String> failed) {
    List<Integer> ids = nodes().stream().map(Node::id).toList();
    brokers
        .admin()
        .describeLogDirs(ids)
        .descriptions()
        .forEach(
            (id, future) ->
                answer(future)
                    .ifPresent(
                        folders ->
                            folders.forEach(
                                (folder, about) -> add(id, folder, about, disks, failed))));
  }

  private static void add(
      int broker, String folder, LogDirDescription about, List<Disk> disks, List<String> failed) {
    String where = "broker %d (%s)".formatted(broker, folder);
    if (about.error() != null) {
      failed.add(where + ": " + about.error().getMessage());
    } else if (about.totalBytes().isPresent() && about.usableBytes().isPresent()) {
      disks.add(new Disk(where, about.usableBytes().getAsLong(), about.totalBytes().getAsLong()));
    }
  }

  /** Empty where the brokers do not tell, or not us. */
  private <T> Optional<T> answer(KafkaFuture<T> future) {
    try {
      return Optional.ofNullable(future.get(brokers.timeout().toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
