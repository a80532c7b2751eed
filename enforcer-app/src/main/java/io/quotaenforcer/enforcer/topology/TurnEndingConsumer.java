package io.quotaenforcer.enforcer.topology;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * The consumer of a stream thread, which tells when turns can be ended, and then leaves the group.
 * Kafka Streams would first close every store, while the partitions have no owner.
 */
final class TurnEndingConsumer extends KafkaConsumer<byte[], byte[]> {
  /**
   * Kafka Streams does not wait at all while it restores partitions or ends, and would keep a
   * processor from those that do that work.
   */
  private static final Duration LEAST_WAIT = Duration.ofMillis(1);

  /**
   * A record ends the wait at once. What else there is may be late by it: that a rebalance is
   * noticed, and ticks of a second.
   */
  private static final Duration IDLE_WAIT = Duration.ofMillis(20);

  private final HandOver handOver;
  private final FailedRecords failed;
  private final LostRecords lost;
  private final int mostPolled;

  /** Partitions that were taken away while it polled. */
  private final Set<TopicPartition> gone = new HashSet<>();

  /** A failure of a further poll, to be thrown when what was polled before is passed on. */
  private @Nullable RuntimeException late;

  /** Of Kafka Streams. */
  private @Nullable ConsumerRebalanceListener listener;

  private boolean left;

  TurnEndingConsumer(
      Map<String, Object> config, HandOver handOver, FailedRecords failed, LostRecords lost) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.handOver = handOver;
    this.failed = failed;
    this.lost = lost;
    this.mostPolled =
        Integer.parseInt(
            String.valueOf(
                config.getOrDefault(
                    ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                    ConsumerConfig.DEFAULT_MAX_POLL_RECORDS)));
  }

  @Override
  public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
    super.subscribe(topics, endingTurns(listener));
  }

  @Override
  public void subscribe(Pattern pattern, ConsumerRebalanceListener listener) {
    super.subscribe(pattern, endingTurns(listener));
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    if (!left && handOver.betweenRecords()) {
      leave();
    }
    if (left) {
      return nothingFor(timeout);
    }
    try {
      throwLate();
      ConsumerRecords<byte[], byte[]> first = super.poll(waitFor(timeout, isIdle()));
      gone.clear();
      ConsumerRecords<byte[], byte[]> polled =
          LargePoll.of(first, mostPolled, this::pollAgain, gone);
      handOver.taken().behind(this::currentLag);
      return failed.alone(polled, this::seek);
    } catch (OffsetOutOfRangeException e) {
      // Kafka Streams goes on from the earliest record, and logs that as if nothing had happened.
      lost.before(e.offsetOutOfRangePartitions());
      throw e;
    }
  }

  /** Whether there is nothing to do but to wait for records. */
  private boolean isIdle() {
    return failed.isIdle() && handOver.taken().areMineAtWork();
  }

  /**
   * How long to wait for records.
   *
   * @param timeout that Kafka Streams asks for
   * @param idle whether there is nothing else to do
   */
  static Duration waitFor(Duration timeout, boolean idle) {
    if (timeout.compareTo(LEAST_WAIT) < 0) {
      return LEAST_WAIT;
    }
    return idle && timeout.compareTo(IDLE_WAIT) < 0 ? IDLE_WAIT : timeout;
  }

  /**
   * Leaves the group. A rebalance that is under way is over then: until it is told so, a stream
   * thread does not end.
   */
  private void leave() {
    left = true;
    unsubscribe();
    ConsumerRebalanceListener told = listener;
    if (told != null) {
      told.onPartitionsAssigned(Set.of());
    }
  }

  /**
   * Leaves the group, whatever Kafka Streams says: it would let the member of a failed thread stay,
   * and all commits of the group wait until the session of that one is over.
   */
  @Override
  public void close(CloseOptions options) {
    CloseOptions leaving =
        CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
    super.close(options.timeout().map(leaving::withTimeout).orElse(leaving));
  }

  /** A stream thread that is to end asks again and again, without a wait of its own. */
  private static ConsumerRecords<byte[], byte[]> nothingFor(Duration timeout) {
    LockSupport.parkNanos(Math.max(LEAST_WAIT.toNanos(), timeout.toNanos()));
    return ConsumerRecords.empty();
  }

  private ConsumerRecords<byte[], byte[]> pollAgain() {
    try {
      return super.poll(Duration.ZERO);
    } catch (RuntimeException e) {
      late = e;
      return ConsumerRecords.empty();
    }
  }

  private void throwLate() {
    RuntimeException failure = late;
    if (failure != null) {
      late = null;
      throw failure;
    }
  }

  /** Takes note of what becomes of partitions, also where Kafka Streams fails at it. */
  ConsumerRebalanceListener endingTurns(ConsumerRebalanceListener listener) {
    this.listener = listener;
    return new ConsumerRebalanceListener() {
      @Override
      public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        handOver.revoking(partitions);
        try {
          listener.onPartitionsRevoked(partitions);
        } finally {
          gone.addAll(partitions);
          handOver.taken().revoked(partitions);
        }
      }

      @Override
      public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        handOver.taken().assigned(partitions);
        listener.onPartitionsAssigned(partitions);
      }

      @Override
      public void onPartitionsLost(Collection<TopicPartition> partitions) {
        try {
          listener.onPartitionsLost(partitions);
        } finally {
          gone.addAll(partitions);
          handOver.taken().lost(partitions);
          failed.partitionsLost();
        }
      }
    };
  }
}
