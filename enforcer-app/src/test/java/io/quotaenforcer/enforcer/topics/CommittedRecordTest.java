package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Whether a topic of two partitions holds a record, by a clock that moves with each look at it. */
class CommittedRecordTest {
  private static final TopicPartition FIRST = new TopicPartition("changelog", 0);
  private static final TopicPartition SECOND = new TopicPartition("changelog", 1);
  private static final Duration PATIENCE = Duration.ofSeconds(8);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private long nanos;

  CommittedRecordTest() {
    consumer.updateBeginningOffsets(Map.of(FIRST, 0L, SECOND, 0L));
  }

  private CommittedRecord look() {
    return CommittedRecord.in(
        List.of(FIRST, SECOND), consumer, PATIENCE, () -> nanos += 1_000_000_000L);
  }

  private void endsAt(long first, long second) {
    consumer.updateEndOffsets(Map.of(FIRST, first, SECOND, second));
  }

  /** As past aborted records, and marks of transactions. */
  private void passesOver(TopicPartition partition, long to) {
    consumer.schedulePollTask(() -> consumer.seek(partition, to));
  }

  @Test
  void recordOfAnyPartition_isThere() {
    endsAt(0, 5);
    passesOver(SECOND, 4);
    consumer.schedulePollTask(
        () -> consumer.addRecord(new ConsumerRecord<>("changelog", 1, 4L, null, new byte[1])));

    assertThat(look()).isEqualTo(CommittedRecord.THERE);
  }

  @Test
  void topicReadToItsEnd_withoutOne_hasNone() {
    endsAt(3, 5);
    passesOver(FIRST, 3);
    passesOver(SECOND, 5);

    assertThat(look()).isEqualTo(CommittedRecord.NONE);
  }

  @Test
  void topicOfWhichNothingMoreComes_isNotKnown() {
    endsAt(3, 5);
    passesOver(FIRST, 3);

    assertThat(look()).isEqualTo(CommittedRecord.NOT_KNOWN);
  }

  @Test
  void slowRead_takesItsTime_whileItGetsOn() {
    endsAt(0, 40);
    for (int i = 1; i <= 40; i++) {
      passesOver(SECOND, i);
    }

    assertThat(look()).isEqualTo(CommittedRecord.NONE);
    assertThat(nanos).isGreaterThan(2 * PATIENCE.toNanos());
  }
}
