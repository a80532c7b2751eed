package io.quotaenforcer.pacer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PartitionQueuesTest {
  private static final TopicPartition FIRST = TestTopic.partition(0);
  private static final TopicPartition SECOND = TestTopic.partition(1);

  private final PartitionQueues<String, String> queues = new PartitionQueues<>();

  private static Verdict all(ConsumerRecord<String, String> any) {
    return new Verdict.HandOut();
  }

  private void add(TopicPartition partition, long from, long to) {
    queues.add(
        partition,
        LongStream.range(from, to)
            .mapToObj(
                offset ->
                    new ConsumerRecord<>(
                        partition.topic(), partition.partition(), offset, "key", "value"))
            .toList(),
        null);
  }

  private static Function<ConsumerRecord<String, String>, Verdict> below(long offset) {
    return record -> record.offset() < offset ? new Verdict.HandOut() : new Verdict.Hold(100);
  }

  private static List<Long> offsets(List<ConsumerRecord<String, String>> records) {
    return records.stream().map(ConsumerRecord::offset).toList();
  }

  @Test
  void take_stopsAtTheFirstThatMustWait() {
    add(FIRST, 0, 5);
    add(SECOND, 0, 5);

    Map<TopicPartition, List<ConsumerRecord<String, String>>> taken =
        queues.take(
            0, 100, record -> record.partition() == 0 ? below(2).apply(record) : all(record));

    assertThat(offsets(taken.get(FIRST))).containsExactly(0L, 1L);
    assertThat(offsets(taken.get(SECOND))).containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(queues.waiting()).containsExactly(FIRST);
    assertThat(queues.size()).isEqualTo(3);
  }

  @Test
  void heldPartition_isNotAskedBeforeItsTime() {
    add(FIRST, 0, 5);
    queues.take(1_000, 100, below(2));

    assertThat(queues.nanosToNext(1_000)).hasValue(100);
    assertThat(queues.take(1_099, 100, PartitionQueuesTest::all)).isEmpty();
    assertThat(queues.nanosToNext(1_099)).hasValue(1);
    assertThat(offsets(queues.take(1_100, 100, PartitionQueuesTest::all).get(FIRST)))
        .containsExactly(2L, 3L, 4L);
    assertThat(queues.nanosToNext(1_100)).isEmpty();
  }

  @Test
  void time_thatWrapsAround_isStillATime() {
    add(FIRST, 0, 1);
    queues.take(Long.MAX_VALUE - 10, 100, below(0));

    assertThat(queues.take(Long.MAX_VALUE, 100, PartitionQueuesTest::all)).isEmpty();
    assertThat(queues.take(Long.MIN_VALUE + 89, 100, PartitionQueuesTest::all)).hasSize(1);
  }

  @Test
  void partitions_areServedInTurns() {
    add(FIRST, 0, 10);
    add(SECOND, 0, 10);

    assertThat(queues.take(0, 3, PartitionQueuesTest::all)).containsOnlyKeys(FIRST);
    assertThat(queues.take(0, 3, PartitionQueuesTest::all)).containsOnlyKeys(SECOND);
    assertThat(queues.take(0, 3, PartitionQueuesTest::all)).containsOnlyKeys(FIRST);
  }

  @Test
  void handedOut_isBehindTheLastRecord_andAtTheEndBehindAllThatWasRead() {
    queues.add(
        FIRST,
        List.of(
            new ConsumerRecord<>(TestTopic.NAME, 0, 7, "key", "value"),
            new ConsumerRecord<>(TestTopic.NAME, 0, 9, "key", "value")),
        new OffsetAndMetadata(12));
    assertThat(queues.handedOut()).isEmpty();

    queues.take(0, 1, PartitionQueuesTest::all);
    assertThat(queues.handedOut())
        .containsExactly(Map.entry(FIRST, new OffsetAndMetadata(8, Optional.empty(), "")));
    queues.take(0, 1, PartitionQueuesTest::all);
    assertThat(queues.handedOut()).containsExactly(Map.entry(FIRST, new OffsetAndMetadata(12)));
  }

  @Test
  void skipped_countsAsHandedOut() {
    add(FIRST, 0, 2);

    assertThat(queues.take(0, 10, record -> new Verdict.Skip())).isEmpty();

    assertThat(queues.handedOut().get(FIRST).offset()).isEqualTo(2);
    assertThat(queues.waiting()).isEmpty();
  }

  @Test
  void dropped_isForgotten() {
    add(FIRST, 0, 5);
    add(SECOND, 0, 5);
    queues.take(0, 100, below(2));

    queues.drop(List.of(FIRST));

    assertThat(queues.waiting()).containsExactly(SECOND);
    assertThat(queues.handedOut()).containsOnlyKeys(SECOND);
    queues.keepOnly(Set.of());
    assertThat(queues.size()).isZero();
  }
}
