package io.quotaenforcer.cli.examine;

import io.quotaenforcer.cli.doctor.Fleet;
import io.quotaenforcer.cli.doctor.LagFacts;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.BrokersException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** Looks at the group of the enforcers: its members, and how far they have read. */
final class GroupLook {
  /** Follows the name of a process in those of its consumers, as Kafka Streams gives them. */
  private static final String THREAD = "-StreamThread-";

  private final Brokers brokers;
  private final String group;

  /**
   * @param group their application.id
   */
  GroupLook(Brokers brokers, String group) {
    this.brokers = brokers;
    this.group = group;
  }

  /**
   * Its members.
   *
   * @param usage name of the topic that is shared out
   * @param partitions of that topic
   */
  Fleet.Group members(String usage, int partitions) {
    Set<String> processes = new HashSet<>();
    Set<TopicPartition> assigned = new HashSet<>();
    for (MemberDescription member : members()) {
      processes.add(member.clientId().replaceFirst(THREAD + ".*$", ""));
      member.assignment().topicPartitions().stream()
          .filter(partition -> partition.topic().equals(usage))
          .forEach(assigned::add);
    }
    return new Fleet.Group(group, processes.size(), partitions, assigned.size());
  }

  private Collection<MemberDescription> members() {
    try {
      return brokers
          .get(
              "describe the group " + group,
              brokers.admin().describeConsumerGroups(List.of(group)).all())
          .values()
          .stream()
          .flatMap(description -> description.members().stream())
          .toList();
    } catch (BrokersException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return List.of();
      }
      throw e;
    }
  }

  LagFacts lag() {
    Map<TopicPartition, OffsetAndMetadata> read =
        new TreeMap<>((a, b) -> (a.topic() + a.partition()).compareTo(b.topic() + b.partition()));
    brokers
        .get(
            "read the offsets of " + group,
            brokers.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
        .forEach(
            (partition, offset) -> {
              if (offset != null) {
                read.put(partition, offset);
              }
            });
    Map<TopicPartition, ListOffsetsResultInfo> ends = offsets(read.keySet(), OffsetSpec.latest());
    Map<TopicPartition, ListOffsetsResultInfo> firsts =
        offsets(read.keySet(), OffsetSpec.earliest());
    List<LagFacts.Partition> partitions = new ArrayList<>();
    read.forEach(
        (partition, offset) -> {
          ListOffsetsResultInfo end = ends.get(partition);
          ListOffsetsResultInfo first = firsts.get(partition);
          if (end != null && first != null) {
            partitions.add(
                new LagFacts.Partition(
                    partition.topic(),
                    partition.partition(),
                    first.offset(),
                    offset.offset(),
                    end.offset()));
          }
        });
    return new LagFacts(partitions);
  }

  private Map<TopicPartition, ListOffsetsResultInfo> offsets(
      Set<TopicPartition> partitions, OffsetSpec which) {
    return partitions.isEmpty()
        ? Map.of()
        : brokers.get(
            "read the ends of topics",
            brokers
                .admin()
                .listOffsets(
                    partitions.stream().collect(Collectors.toMap(Function.identity(), it -> which)))
                .all());
  }
}
