package io.quotaenforcer.enforcer.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Several polls in one, as long as their records are small. A stream thread that is behind commits
 * after each poll, so that with slow commits the number of records in a poll is how fast it catches
 * up; but a record may be of hundreds of quota keys, and too many of these take longer than a
 * transaction may.
 */
final class LargePoll {
  /** About a hundred reports of a hundred quota keys, or thousands of a few. */
  static final int MOST_BYTES = 256 << 10;

  /** Polls that take nothing but what has been fetched are quick, but not free. */
  static final int MOST_POLLS = 20;

  private LargePoll() {}

  /**
   * Adds to polled records what else is there.
   *
   * @param most records of one poll: fewer mean that no more are there
   * @param next polls without waiting
   * @param gone partitions that were taken away by the last of these polls: what was polled of them
   *     before is another's to read; emptied
   */
  static ConsumerRecords<byte[], byte[]> of(
      ConsumerRecords<byte[], byte[]> polled,
      int most,
      Supplier<ConsumerRecords<byte[], byte[]>> next,
      Set<TopicPartition> gone) {
    long bytes = bytes(polled);
    if (polled.count() < most || bytes >= MOST_BYTES) {
      return polled;
    }
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    add(polled, records, offsets);
    for (int polls = 1; polls < MOST_POLLS && bytes < MOST_BYTES; polls++) {
      ConsumerRecords<byte[], byte[]> more = next.get();
      records.keySet().removeAll(gone);
      offsets.keySet().removeAll(gone);
      gone.clear();
      add(more, records, offsets);
      bytes += bytes(more);
      if (more.count() < most) {
        break;
      }
    }
    return new ConsumerRecords<>(records, offsets);
  }

  private static void add(
      ConsumerRecords<byte[], byte[]> polled,
      Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records,
      Map<TopicPartition, OffsetAndMetadata> offsets) {
    for (TopicPartition partition : polled.partitions()) {
      records
          .computeIfAbsent(partition, none -> new ArrayList<>())
          .addAll(polled.records(partition));
    }
    offsets.putAll(polled.nextOffsets());
  }

  private static long bytes(ConsumerRecords<byte[], byte[]> polled) {
    long bytes = 0;
    for (ConsumerRecord<byte[], byte[]> record : polled) {
      bytes += Math.max(0, record.serializedValueSize());
    }
    return bytes;
  }
}
