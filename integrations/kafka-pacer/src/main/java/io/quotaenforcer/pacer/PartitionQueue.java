package io.quotaenforcer.pacer;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/** Records of one partition that were fetched and not yet handed out, in order. */
final class PartitionQueue<K, V> {
  private final Queue<ConsumerRecord<K, V>> records = new ArrayDeque<>();

  /** Where reading goes on behind all of them. */
  private @Nullable OffsetAndMetadata end;

  /** Where reading would go on, if what was handed out were the last that was read. */
  private @Nullable OffsetAndMetadata handedOut;

  /** When the first record is decided again; of no meaning while nothing is held. */
  private long notBeforeNanos;

  private boolean held;

  void add(List<ConsumerRecord<K, V>> fetched, @Nullable OffsetAndMetadata next) {
    records.addAll(fetched);
    end = next;
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  int size() {
    return records.size();
  }

  /** Nanoseconds until the first record may be decided; 0 if it may be now. */
  long nanosToWait(long nowNanos) {
    return held ? Math.max(0, notBeforeNanos - nowNanos) : 0;
  }

  @Nullable ConsumerRecord<K, V> first() {
    return records.peek();
  }

  void hold(long untilNanos) {
    held = true;
    notBeforeNanos = untilNanos;
  }

  /** The first record is done with. */
  void advance() {
    ConsumerRecord<K, V> first = records.remove();
    held = false;
    // Behind the last one, transactions may have left marks that are no records.
    handedOut =
        records.isEmpty() && end != null
            ? end
            : new OffsetAndMetadata(first.offset() + 1, first.leaderEpoch(), "");
  }

  /** Where a successor is to go on; empty if nothing was handed out. */
  Optional<OffsetAndMetadata> handedOut() {
    return Optional.ofNullable(handedOut);
  }
}
