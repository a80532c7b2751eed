package io.quotaenforcer.enforcer.topics;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Waits until the partitions of topics that were just created take records. A broker that does not
 * know yet that it leads a partition refuses a producer's first batch and may take its second: then
 * it refuses the first for good, and an idempotent producer tries it again until its delivery times
 * out (KAFKA-15591).
 */
public final class NewPartitions {
  private static final long POLL_NANOS = 20_000_000L;

  private NewPartitions() {}

  /**
   * Returns when the leaders of all partitions answer.
   *
   * @param topics with their numbers of partitions
   * @param timeout for which topics that the brokers do not know yet, or are slow to tell of, are
   *     asked for again
   * @throws ExecutionException with what a broker answered instead
   */
  public static void awaitLeaders(
      Admin admin, List<NewTopic> topics, Duration timeout, LongSupplier monotonicNanos)
      throws ExecutionException, InterruptedException {
    List<String> names = topics.stream().map(NewTopic::name).toList();
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (NewTopic topic : topics) {
      for (int i = 0; i < topic.numPartitions(); i++) {
        ends.put(new TopicPartition(topic.name(), i), OffsetSpec.latest());
      }
    }
    long deadline = monotonicNanos.getAsLong() + timeout.toNanos();
    while (true) {
      try {
        // Does not log what is not known yet as an error, as the other does.
        admin.describeTopics(names).allTopicNames().get();
        admin.listOffsets(ends).all().get();
        return;
      } catch (ExecutionException e) {
        boolean mayCome =
            e.getCause() instanceof UnknownTopicOrPartitionException
                || e.getCause() instanceof TimeoutException;
        if (!mayCome || monotonicNanos.getAsLong() - deadline > 0) {
          throw e;
        }
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
