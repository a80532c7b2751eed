package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.client.internal.Failures;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.CodecException.Reason;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes records to the dispatcher. One that no reader can ever read is passed over: its enforcer
 * knows that it was released and has no result. One that cannot be read while the registry is away
 * holds up its partition. One of a schema that is not known here does so for {@value
 * #LONGEST_HOLD_SECONDS} s, in which the schema may become known, and the next of a partition where
 * that did not help no longer than it takes to ask once more: nobody can stop a partition by a
 * record. So does one that ends in an {@link Error}, as where memory is short for a moment.
 */
final class ReplayReader {
  private static final Logger log = LoggerFactory.getLogger(ReplayReader.class);
  private static final long HOLD_NANOS = 1_000_000_000L;
  private static final int LONGEST_HOLD_SECONDS = 10;
  private static final long LONGEST_HOLD_NANOS = LONGEST_HOLD_SECONDS * 1_000_000_000L;
  private static final long HOLDS_AGAIN_NANOS = 600_000_000_000L;

  private final ReplaySetup setup;
  private final ReplayGroup group;
  private final OldReplays old;
  private final ReplayDispatcher dispatcher;
  private final Map<TopicPartition, Long> heldUntilNanos = new HashMap<>();
  private final Map<TopicPartition, Held> first = new HashMap<>();
  private final Map<TopicPartition, Long> inVainNanos = new HashMap<>();

  /** The record that holds up a partition, and since when. */
  private record Held(long offset, long sinceNanos) {}

  ReplayReader(ReplaySetup setup, ReplayGroup group, OldReplays old, ReplayDispatcher dispatcher) {
    this.setup = setup;
    this.group = group;
    this.old = old;
    this.dispatcher = dispatcher;
  }

  void read(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records) {
    for (TopicPartition partition : records.partitions()) {
      read(consumer, partition, records.records(partition));
    }
  }

  /** Partitions that are not to be read for now. */
  Set<TopicPartition> held(Collection<TopicPartition> assigned) {
    heldUntilNanos.keySet().retainAll(assigned);
    long now = setup.instance().now();
    heldUntilNanos.values().removeIf(until -> until - now <= 0);
    return new HashSet<>(heldUntilNanos.keySet());
  }

  private void read(
      Consumer<byte[], byte[]> consumer,
      TopicPartition partition,
      List<ConsumerRecord<byte[], byte[]>> records) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        take(record);
      } catch (RuntimeException | Error e) {
        setup.instance().telemetry().failed("read " + record.topic(), Failures.asException(e));
        if (isReadableLater(e) && hold(consumer, partition, record.offset(), e)) {
          return;
        }
        log.warn(
            "passed over an unreadable record at {} offset {}: {}",
            partition,
            record.offset(),
            e.toString());
      }
      dispatcher.readUpTo(partition.partition(), record.offset() + 1);
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    Replay replay = setup.kafka().wire().decodeReplay(record.value());
    if (!group.domains().test(replay.quotaKey().rule().domain())) {
      return;
    }
    if (old.isOld(record.partition(), record.offset())) {
      dispatcher.addOld(record.partition(), record.offset(), replay, record.serializedValueSize());
    } else {
      dispatcher.add(record.partition(), record.offset(), replay, record.serializedValueSize());
    }
  }

  private static boolean isReadableLater(Throwable failure) {
    return failure instanceof Error
        || (failure instanceof CodecException codec && isReadableLater(codec.reason()));
  }

  private static boolean isReadableLater(Reason reason) {
    return switch (reason) {
      case MALFORMED, UNEXPECTED_TYPE -> false;
      case UNKNOWN_SCHEMA,
          INCOMPATIBLE_SCHEMA,
          REGISTRY_REQUIRED,
          REGISTRY_REFUSED,
          REGISTRY_UNAVAILABLE ->
          true;
    };
  }

  /** Whether the record is to be read again, after a while. */
  private boolean hold(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, long offset, Throwable e) {
    long now = setup.instance().now();
    Held held = first.get(partition);
    if (held == null || held.offset != offset) {
      held = new Held(offset, now);
      first.put(partition, held);
      log.warn(
          "{} waits for its offset {} to become readable: {}", partition, offset, e.toString());
    }
    boolean ends = e instanceof CodecException codec && codec.isRetriable();
    if (!ends && now - held.sinceNanos >= longestHold(partition, now)) {
      inVainNanos.put(partition, now);
      return false;
    }
    consumer.seek(partition, offset);
    heldUntilNanos.put(partition, now + HOLD_NANOS);
    return true;
  }

  private long longestHold(TopicPartition partition, long now) {
    Long inVain = inVainNanos.get(partition);
    return inVain != null && now - inVain < HOLDS_AGAIN_NANOS ? 0 : LONGEST_HOLD_NANOS;
  }
}
