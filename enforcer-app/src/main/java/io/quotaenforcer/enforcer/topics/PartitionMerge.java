package io.quotaenforcer.enforcer.topics;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Merges the partitions of a topic by the time stamps of their records: always the earliest of the
 * first record of each partition, so that it waits while a partition that has not ended has none.
 * Within a partition records stay in their order.
 */
final class PartitionMerge {
  private final Map<Integer, Queue<ConsumerRecord<byte[], byte[]>>> waiting = new HashMap<>();

  /** Partitions that have not ended and of which no record waits. */
  private final Set<Integer> awaited = new HashSet<>();

  private final Set<Integer> ended = new HashSet<>();
  private final PriorityQueue<ConsumerRecord<byte[], byte[]>> firsts =
      new PriorityQueue<>(
          Comparator.<ConsumerRecord<byte[], byte[]>>comparingLong(ConsumerRecord::timestamp)
              .thenComparingInt(ConsumerRecord::partition));

  void begin(int partition) {
    waiting.put(partition, new ArrayDeque<>());
    awaited.add(partition);
  }

  /** Takes the next record of a partition that has begun. */
  void add(ConsumerRecord<byte[], byte[]> record) {
    Queue<ConsumerRecord<byte[], byte[]>> queue = of(record.partition());
    if (queue.isEmpty()) {
      firsts.add(record);
      awaited.remove(record.partition());
    }
    queue.add(record);
  }

  /** There are no more records of this partition than it was given. */
  void end(int partition) {
    ended.add(partition);
    awaited.remove(partition);
  }

  /** The next record of all; empty when there is none, or none is known to be the next. */
  Optional<ConsumerRecord<byte[], byte[]>> next() {
    if (!awaited.isEmpty() || firsts.isEmpty()) {
      return Optional.empty();
    }
    ConsumerRecord<byte[], byte[]> next = firsts.remove();
    Queue<ConsumerRecord<byte[], byte[]>> queue = of(next.partition());
    queue.remove();
    if (!queue.isEmpty()) {
      firsts.add(queue.element());
    } else if (!ended.contains(next.partition())) {
      awaited.add(next.partition());
    }
    return Optional.of(next);
  }

  /** Records of a partition that wait. */
  int waiting(int partition) {
    return of(partition).size();
  }

  private Queue<ConsumerRecord<byte[], byte[]>> of(int partition) {
    return Objects.requireNonNull(waiting.get(partition), "the partition has not begun");
  }
}
