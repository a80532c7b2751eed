package io.quotaenforcer.bench.topology;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** How much of a topic an application has taken, and committed. */
final class GroupProgress {
  private final Admin admin;
  private final String group;

  GroupProgress(Admin admin, String group) {
    this.admin = admin;
    this.group = group;
  }

  /** Offsets committed, summed over the topic's partitions. */
  long committed(String topic) throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> offsets;
    try {
      offsets = admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return 0;
      }
      throw e;
    }
    return offsets.entrySet().stream()
        .filter(entry -> entry.getKey().topic().equals(topic) && entry.getValue() != null)
        .mapToLong(entry -> entry.getValue().offset())
        .sum();
  }

  /** Where the topic ends, summed over its partitions. */
  long end(String topic, int partitions) throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> wanted =
        IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
    long end = 0;
    for (var result : new HashMap<>(admin.listOffsets(wanted).all().get()).values()) {
      end += result.offset();
    }
    return end;
  }
}
