package io.quotaenforcer.enforcer.topics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Whether a topic holds a record that was committed; aborted ones do not count. */
enum CommittedRecord {
  THERE,
  NONE,

  /** The topic was not read to its end, as nothing more of it came. */
  NOT_KNOWN;

  private static final Duration POLL = Duration.ofMillis(100);

  /**
   * Looks for one.
   *
   * @param consumer of committed records
   * @param patience for how long it waits while it does not get on
   */
  static CommittedRecord in(
      List<TopicPartition> partitions,
      Consumer<byte[], byte[]> consumer,
      Duration patience,
      LongSupplier monotonicNanos) {
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    long reached = -1;
    long progressNanos = monotonicNanos.getAsLong();
    while (monotonicNanos.getAsLong() - progressNanos <= patience.toNanos()) {
      if (!consumer.poll(POLL).isEmpty()) {
        return THERE;
      }
      if (partitions.stream().allMatch(it -> consumer.position(it) >= ends.getOrDefault(it, 0L))) {
        return NONE;
      }
      // Records that were aborted, and the marks of transactions, are passed over.
      long position = partitions.stream().mapToLong(consumer::position).sum();
      if (position > reached) {
        reached = position;
        progressNanos = monotonicNanos.getAsLong();
      }
    }
    return NOT_KNOWN;
  }
}
