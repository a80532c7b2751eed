package io.quotaenforcer.bench.restore;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** The enforcers as the broker sees them. */
final class Group implements AutoCloseable {
  private static final String ID = "quota-enforcer";
  private static final String CHANGELOG = ID + "-ledger-changelog";

  private final Admin admin;
  private final String usageTopic;

  Group(String bootstrapServers, String usageTopic) {
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    this.usageTopic = usageTopic;
  }

  /**
   * What the broker says at a moment.
   *
   * @param stable whether nothing is being moved
   * @param usage partitions of the usage topic by the client that has them
   */
  record View(boolean stable, Map<String, Set<Integer>> usage) {
    /** Partitions of an enforcer. */
    Set<Integer> of(EnforcerChild enforcer) {
      return usage.entrySet().stream()
          .filter(entry -> entry.getKey().startsWith(enforcer.name() + "-"))
          .flatMap(entry -> entry.getValue().stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }

    boolean knows(EnforcerChild enforcer) {
      return usage.keySet().stream().anyMatch(client -> client.startsWith(enforcer.name() + "-"));
    }
  }

  View view() throws ExecutionException, InterruptedException {
    ConsumerGroupDescription group;
    try {
      group = admin.describeConsumerGroups(List.of(ID)).all().get().values().iterator().next();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return new View(false, Map.of());
      }
      throw e;
    }
    Map<String, Set<Integer>> usage = new HashMap<>();
    for (MemberDescription member : group.members()) {
      Set<Integer> partitions =
          member.assignment().topicPartitions().stream()
              .filter(partition -> partition.topic().equals(usageTopic))
              .map(TopicPartition::partition)
              .collect(Collectors.toSet());
      usage.put(member.clientId(), partitions);
    }
    return new View(group.groupState() == GroupState.STABLE, usage);
  }

  /** Whether everything that was reported is counted. */
  boolean hasReadAll(Collection<Integer> partitions)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> ends = ends(usageTopic, partitions);
    var committed = admin.listConsumerGroupOffsets(ID).partitionsToOffsetAndMetadata().get();
    return ends.entrySet().stream()
        .allMatch(
            end -> {
              var offset = committed.get(end.getKey());
              return offset != null && offset.offset() >= end.getValue();
            });
  }

  /** Records in the changelogs of these ledgers. */
  long changelogRecords(Collection<Integer> partitions)
      throws ExecutionException, InterruptedException {
    return ends(CHANGELOG, partitions).values().stream().mapToLong(Long::longValue).sum();
  }

  private Map<TopicPartition, Long> ends(String topic, Collection<Integer> partitions)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> wanted =
        partitions.stream()
            .collect(
                Collectors.toMap(
                    partition -> new TopicPartition(topic, partition),
                    partition -> OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end :
        admin.listOffsets(wanted).all().get().entrySet()) {
      ends.put(end.getKey(), end.getValue().offset());
    }
    return ends;
  }

  @Override
  public void close() {
    admin.close();
  }
}
