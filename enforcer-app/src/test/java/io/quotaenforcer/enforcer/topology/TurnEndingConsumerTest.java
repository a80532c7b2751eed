package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.junit.jupiter.api.Test;

class TurnEndingConsumerTest {
  private static final Duration FIVE = Duration.ofMillis(5);
  private static final EnforcerMetrics METRICS = new EnforcerMetrics(new SimpleMeterRegistry());
  private static final TopicPartition USAGE = new TopicPartition("quota.usage", 0);

  private static final ConsumerRebalanceListener FAILING =
      new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
          throw new TaskMigratedException("revoked");
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
          throw new TaskMigratedException("lost");
        }
      };

  /** Kafka Streams throws where a transaction was aborted, and goes on without the partitions. */
  @Test
  void partitions_thatKafkaStreamsFailsToGiveUp_areGivenUpAllTheSame() {
    HandOver handOver = new HandOver(USAGE.topic());
    try (TurnEndingConsumer consumer = consumer(handOver)) {
      ConsumerRebalanceListener told = consumer.endingTurns(FAILING);
      told.onPartitionsAssigned(List.of(USAGE));
      assertThat(handOver.taken().count()).isOne();

      assertThatThrownBy(() -> told.onPartitionsRevoked(List.of(USAGE)))
          .isInstanceOf(TaskMigratedException.class);
      assertThat(handOver.taken().count()).isZero();

      told.onPartitionsAssigned(List.of(USAGE));
      assertThatThrownBy(() -> told.onPartitionsLost(List.of(USAGE)))
          .isInstanceOf(TaskMigratedException.class);
      assertThat(handOver.taken().count()).isZero();
    }
  }

  private static TurnEndingConsumer consumer(HandOver handOver) {
    Map<String, Object> config = Map.of("bootstrap.servers", "127.0.0.1:1");
    return new TurnEndingConsumer(config, handOver, new FailedRecords(), new LostRecords(METRICS));
  }

  @Test
  void waitFor_threadAtWork_asLongAsKafkaStreamsAsks() {
    assertThat(TurnEndingConsumer.waitFor(FIVE, false)).isEqualTo(FIVE);
  }

  @Test
  void waitFor_idleThread_longer() {
    assertThat(TurnEndingConsumer.waitFor(FIVE, true)).isEqualTo(Duration.ofMillis(20));
    assertThat(TurnEndingConsumer.waitFor(Duration.ofMillis(100), true))
        .isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void waitFor_whileOtherThreadsRestore_aMoment() {
    assertThat(TurnEndingConsumer.waitFor(Duration.ZERO, false)).isEqualTo(Duration.ofMillis(1));
    assertThat(TurnEndingConsumer.waitFor(Duration.ZERO, true)).isEqualTo(Duration.ofMillis(1));
  }
}
