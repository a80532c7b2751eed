package io.quotaenforcer.enforcer.topics;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * Waits until the partitions of topics that were just created take records. A broker that does not
 * know yet that it leads a partition refuses a producer's first batch and may take its second: then
 * it refuses the first for good, and an idempotent producer tries it again until its delivery times
 * out (KAFKA-15591).
 */
public final class NewPartitions {
  private NewPartitions() {}

  /**
   * Completes when the leaders of all partitions answer.
   *
   * @param topics with their numbers of partitions
   */
  public static KafkaFuture<?> led(Admin admin, Iterable<NewTopic> topics) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (NewTopic topic : topics) {
      for (int i = 0; i < topic.numPartitions(); i++) {
        ends.put(new TopicPartition(topic.name(), i), OffsetSpec.latest());
      }
    }
    return admin.listOffsets(ends).all();
  }
}
