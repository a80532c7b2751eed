package io.quotaenforcer.lab.it;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** How far a group has come, written for it. */
final class GroupOffsets {
  private GroupOffsets() {}

  /**
   * A group that stands at the beginning of {@code quota.replays}: it asks no enforcer what it has
   * handled before.
   */
  static void begin(String servers, String group, int partitions)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      offsets.put(new TopicPartition("quota.replays", partition), new OffsetAndMetadata(0));
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.alterConsumerGroupOffsets(group, offsets).all().get();
    }
  }
}
