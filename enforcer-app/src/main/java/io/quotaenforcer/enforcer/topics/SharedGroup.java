package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.schemas.topic.Topics;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Detects that the enforcers of another prefix have the same {@code application.id}. They would
 * form one group with those of this prefix, share partitions and stores with them, and grant
 * nothing, while each of them considers itself healthy.
 */
public final class SharedGroup {
  private SharedGroup() {}

  /**
   * The problem and its remedy; empty if the group has, and as far as brokers remember had, only
   * enforcers of this prefix.
   *
   * @param topics of the prefix
   * @param applicationId of the enforcers, which is their group's name
   * @throws BrokersException if the brokers do not answer
   */
  public static Optional<String> complaint(
      Brokers brokers, String prefix, Topics topics, String applicationId) {
    Set<String> others = new TreeSet<>();
    for (String topic : read(brokers, applicationId)) {
      otherPrefix(topic, topics.usage().name(), prefix).ifPresent(others::add);
    }
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "application.id=%s is that of the enforcers of prefix %s; in one group with them this one would grant nothing: give the enforcers of prefix %s an application.id of their own, such as application.id=%s"
                .formatted(applicationId, String.join(", ", others), prefix, ownId(prefix)));
  }

  /** The prefix of a usage topic that is not ours. */
  static Optional<String> otherPrefix(String topic, String ownUsage, String prefix) {
    String usage = ownUsage.substring(prefix.length());
    return topic.endsWith(usage) && !topic.equals(ownUsage)
        ? Optional.of(topic.substring(0, topic.length() - usage.length()))
        : Optional.empty();
  }

  private static String ownId(String prefix) {
    String name = prefix.replaceAll("[._-]+$", "");
    return (name.isEmpty() ? prefix : name) + "-enforcer";
  }

  /** Topics that the group reads now, or has read before. */
  private static Set<String> read(Brokers brokers, String group) {
    Set<String> topics = new TreeSet<>();
    brokers
        .get(
            "read the offsets of " + group,
            brokers.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
        .keySet()
        .forEach(partition -> topics.add(partition.topic()));
    try {
      brokers
          .get(
              "describe the group " + group,
              brokers.admin().describeConsumerGroups(List.of(group)).all())
          .values()
          .stream()
          .flatMap(description -> description.members().stream())
          .flatMap(member -> member.assignment().topicPartitions().stream())
          .map(TopicPartition::topic)
          .forEach(topics::add);
    } catch (BrokersException e) {
      if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw e;
      }
    }
    return topics;
  }
}
