package io.quotaenforcer.enforcer.topics;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Merges the partitions of a topic by the times of their records: always takes the earliest among
 * the first records of all partitions, so that it waits while an unfinished partition has none.
 * Within a partition records stay in their order.
 */
final class PartitionMerge {
  private final ToLongFunction<ConsumerRecord<byte[], byte[]>> timeMillis;
  private final Map<Integer, Source> sources = new HashMap<>();

  /** Partitions with a waiting record. */
  private final PriorityQueue<Source> filled =
      new PriorityQueue<>(
          Comparator.comparingLong((Source it) -> it.firstMillis)
              .thenComparingInt(Source::partition));

  /** Unfinished partitions without a waiting record. */
  private int awaited;

  private static final class Source {
    private final int partition;
    private final Queue<ConsumerRecord<byte[], byte[]>> waiting = new ArrayDeque<>();
    private long firstMillis;
    private boolean ended;

    Source(int partition) {
      this.partition = partition;
    }

    int partition() {
      return partition;
    }

    boolean isAwaited() {
      return waiting.isEmpty() && !ended;
    }
  }

  PartitionMerge(ToLongFunction<ConsumerRecord<byte[], byte[]>> timeMillis) {
    this.timeMillis = timeMillis;
  }

  void begin(int partition) {
    sources.put(partition, new Source(partition));
    awaited++;
  }

  /** Takes the next records of a partition that has begun. */
  void add(int partition, List<ConsumerRecord<byte[], byte[]>> records) {
    Source source = of(partition);
    boolean begins = source.waiting.isEmpty() && !records.isEmpty();
    awaited -= begins && source.isAwaited() ? 1 : 0;
    source.waiting.addAll(records);
    if (begins) {
      fill(source);
    }
  }

  /** The partition has no further records. */
  void end(int partition) {
    Source source = of(partition);
    awaited -= source.isAwaited() ? 1 : 0;
    source.ended = true;
  }

  /** Passes on the records that are certainly next. */
  void passOn(Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    while (awaited == 0 && !filled.isEmpty()) {
      Source source = filled.remove();
      ConsumerRecord<byte[], byte[]> next = source.waiting.remove();
      if (!source.waiting.isEmpty()) {
        fill(source);
      } else if (source.isAwaited()) {
        awaited++;
      }
      sink.accept(next);
    }
  }

  private void fill(Source source) {
    source.firstMillis = timeMillis.applyAsLong(source.waiting.element());
    filled.add(source);
  }

  /** Records of a partition that wait. */
  int waiting(int partition) {
    return of(partition).waiting.size();
  }

  private Source of(int partition) {
    return Objects.requireNonNull(sources.get(partition), "the partition has not begun");
  }
}
