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
public final class Group implements AutoCloseable {
  private static final String ID = "quota-enforcer";
  private static final String CHANGELOG = ID + "-ledger-changelog";

  private final Admin admin;
  private final String topic;

  /**
   * @param topic whose partitions are looked at
   */
  public Group(String bootstrapServers, String topic) {
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    this.topic = topic;
  }

  /**
   * What the broker says at a moment.
   *
   * @param stable whether nothing is being moved
   * @param partitions of the topic by the client that has them
   */
  public record View(boolean stable, Map<String, Set<Integer>> partitions) {
    /** Partitions of an enforcer. */
    public Set<Integer> of(EnforcerChild enforcer) {
      return partitions.entrySet().stream()
          .filter(entry -> entry.getKey().startsWith(enforcer.name() + "-"))
          .flatMap(entry -> entry.getValue().stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }

    public boolean knows(EnforcerChild enforcer) {
      return partitions.keySet().stream()
          .anyMatch(client -> client.startsWith(enforcer.name() + "-"));
    }
  }

  public View view() throws ExecutionException, InterruptedException {
    ConsumerGroupDescription group;
    try {
      group = admin.describeConsumerGroups(List.of(ID)).all().get().values().iterator().next();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return new View(false, Map.of());
      }
      throw e;
    }
    Map<String, Set<Integer>> byClient = new HashMap<>();
    for (MemberDescription member : group.members()) {
      Set<Integer> partitions =
          member.assignment().topicPartitions().stream()
              .filter(partition -> partition.topic().equals(topic))
              .map(TopicPartition::partition)
              .collect(Collectors.toSet());
      byClient.put(member.clientId(), partitions);
    }
    return new View(group.groupState() == GroupState.STABLE, byClient);
  }

  /** Whether everything that was written to these partitions was taken, and committed. */
  public boolean hasReadAll(Collection<Integer> partitions)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> ends = ends(topic, partitions);
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
