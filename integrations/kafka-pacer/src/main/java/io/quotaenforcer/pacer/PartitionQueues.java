package io.quotaenforcer.pacer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Records fetched and not yet handed out, by partition, and when to go on with each. Reads no clock
 * and knows no consumer. Not safe for use by several threads.
 */
final class PartitionQueues<K, V> {
  /** The first is served first; one that was served goes behind the others. */
  private final Map<TopicPartition, PartitionQueue<K, V>> queues = new LinkedHashMap<>();

  /**
   * Adds what was fetched.
   *
   * @param next where reading goes on behind it; null if that is not known
   */
  void add(
      TopicPartition partition,
      List<ConsumerRecord<K, V>> fetched,
      @Nullable OffsetAndMetadata next) {
    queues.computeIfAbsent(partition, none -> new PartitionQueue<>()).add(fetched, next);
  }

  /**
   * Hands out records, in order for each partition, up to the first of it that must wait.
   *
   * @param atMost records, at least 1
   * @param decider asked once for each record that may be handed out now
   */
  Map<TopicPartition, List<ConsumerRecord<K, V>>> take(
      long nowNanos, int atMost, Function<ConsumerRecord<K, V>, Verdict> decider) {
    Map<TopicPartition, List<ConsumerRecord<K, V>>> taken = new LinkedHashMap<>();
    int left = atMost;
    for (TopicPartition partition : List.copyOf(queues.keySet())) {
      PartitionQueue<K, V> queue = queues.get(partition);
      if (left == 0 || queue == null || queue.nanosToWait(nowNanos) > 0) {
        continue;
      }
      List<ConsumerRecord<K, V>> records = take(queue, nowNanos, left, decider);
      if (!records.isEmpty()) {
        left -= records.size();
        taken.put(partition, records);
        queues.remove(partition);
        queues.put(partition, queue);
      }
    }
    return taken;
  }

  private static <K, V> List<ConsumerRecord<K, V>> take(
      PartitionQueue<K, V> queue,
      long nowNanos,
      int atMost,
      Function<ConsumerRecord<K, V>, Verdict> decider) {
    List<ConsumerRecord<K, V>> taken = new ArrayList<>();
    for (ConsumerRecord<K, V> first = queue.first();
        first != null && taken.size() < atMost;
        first = queue.first()) {
      Verdict verdict = decider.apply(first);
      if (verdict instanceof Verdict.Hold hold) {
        queue.hold(nowNanos + hold.nanos());
        break;
      }
      if (verdict instanceof Verdict.HandOut) {
        taken.add(first);
      }
      queue.advance();
    }
    return taken;
  }

  /** Forgets partitions, with what they hold and what was handed out of them. */
  void drop(Collection<TopicPartition> partitions) {
    partitions.forEach(queues::remove);
  }

  /** Forgets all other partitions. */
  void keepOnly(Set<TopicPartition> partitions) {
    queues.keySet().retainAll(partitions);
  }

  /** Partitions with records that wait; no more is to be fetched of them. */
  Set<TopicPartition> waiting() {
    return queues.entrySet().stream()
        .filter(entry -> !entry.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** How many records wait. */
  int size() {
    return queues.values().stream().mapToInt(PartitionQueue::size).sum();
  }

  /** Nanoseconds until a record that waits may be decided; empty if none waits. */
  OptionalLong nanosToNext(long nowNanos) {
    return queues.values().stream()
        .filter(queue -> !queue.isEmpty())
        .mapToLong(queue -> queue.nanosToWait(nowNanos))
        .min();
  }

  /** Where a successor is to go on, of each partition of which anything was handed out. */
  Map<TopicPartition, OffsetAndMetadata> handedOut() {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    queues.forEach(
        (partition, queue) -> queue.handedOut().ifPresent(at -> offsets.put(partition, at)));
    return offsets;
  }
}
