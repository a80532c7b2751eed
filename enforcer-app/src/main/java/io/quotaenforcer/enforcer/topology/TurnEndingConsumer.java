package io.quotaenforcer.enforcer.topology;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The consumer of a stream thread, which tells when turns can be ended, and then leaves the group.
 * Kafka Streams would first close every store, while the partitions have no owner.
 */
final class TurnEndingConsumer extends KafkaConsumer<byte[], byte[]> {
  private final HandOver handOver;
  private final FailedRecords failed;
  private final LostRecords lost;
  private boolean left;

  TurnEndingConsumer(
      Map<String, Object> config, HandOver handOver, FailedRecords failed, LostRecords lost) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.handOver = handOver;
    this.failed = failed;
    this.lost = lost;
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
      left = true;
      unsubscribe();
    }
    if (left) {
      return ConsumerRecords.empty();
    }
    try {
      ConsumerRecords<byte[], byte[]> polled = super.poll(timeout);
      handOver.taken().behind(this::currentLag);
      return failed.alone(polled, this::seek);
    } catch (OffsetOutOfRangeException e) {
      // Kafka Streams goes on from the earliest record, and logs that as if nothing had happened.
      lost.before(e.offsetOutOfRangePartitions());
      throw e;
    }
  }

  private ConsumerRebalanceListener endingTurns(ConsumerRebalanceListener listener) {
    return new ConsumerRebalanceListener() {
      @Override
      public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        handOver.revoking(partitions);
        listener.onPartitionsRevoked(partitions);
        handOver.taken().revoked(partitions);
        failed.partitionsGone();
      }

      @Override
      public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        handOver.taken().assigned(partitions);
        listener.onPartitionsAssigned(partitions);
      }

      @Override
      public void onPartitionsLost(Collection<TopicPartition> partitions) {
        listener.onPartitionsLost(partitions);
        handOver.taken().lost(partitions);
        failed.partitionsGone();
      }
    };
  }
}
