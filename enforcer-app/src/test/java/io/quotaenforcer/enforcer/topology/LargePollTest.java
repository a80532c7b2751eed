package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class LargePollTest {
  private static final TopicPartition FIRST = new TopicPartition("quota.usage", 0);
  private static final TopicPartition SECOND = new TopicPartition("quota.usage", 1);
  private static final int MOST = 10;

  private final Set<TopicPartition> gone = new HashSet<>();
  private int polls;

  private static ConsumerRecords<byte[], byte[]> records(
      TopicPartition partition, int from, int count, int bytes) {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    for (int offset = from; offset < from + count; offset++) {
      all.add(
          new ConsumerRecord<>(
              partition.topic(),
              partition.partition(),
              offset,
              0,
              TimestampType.LOG_APPEND_TIME,
              0,
              bytes,
              new byte[0],
              new byte[bytes],
              new RecordHeaders(),
              Optional.empty()));
    }
    return count == 0
        ? ConsumerRecords.empty()
        : new ConsumerRecords<>(
            Map.of(partition, all), Map.of(partition, new OffsetAndMetadata(from + count)));
  }

  private Supplier<ConsumerRecords<byte[], byte[]>> endless(int bytes) {
    return () -> records(FIRST, MOST * ++polls, MOST, bytes);
  }

  @Test
  void smallRecords_areTakenFromSeveralPolls_inTheirOrder() {
    List<ConsumerRecords<byte[], byte[]>> next =
        new ArrayList<>(List.of(records(SECOND, 0, MOST, 100), records(FIRST, MOST, 3, 100)));

    ConsumerRecords<byte[], byte[]> all =
        LargePoll.of(records(FIRST, 0, MOST, 100), MOST, () -> next.remove(0), gone);

    assertThat(all.records(FIRST)).extracting(ConsumerRecord::offset).hasSize(13).isSorted();
    assertThat(all.records(SECOND)).hasSize(MOST);
    assertThat(all.nextOffsets())
        .containsEntry(FIRST, new OffsetAndMetadata(13))
        .containsEntry(SECOND, new OffsetAndMetadata(10));
    assertThat(next).as("fewer than a poll holds: no more are there").isEmpty();
  }

  @Test
  void partitionThatIsTakenAwayMeanwhile_leavesOnlyWhatCameSince() {
    Supplier<ConsumerRecords<byte[], byte[]>> movesAndComesBack =
        () -> {
          gone.add(FIRST);
          return records(FIRST, 4, 2, 100);
        };

    ConsumerRecords<byte[], byte[]> all =
        LargePoll.of(records(FIRST, 0, MOST, 100), MOST, movesAndComesBack, gone);

    assertThat(all.records(FIRST)).extracting(ConsumerRecord::offset).containsExactly(4L, 5L);
    assertThat(all.nextOffsets()).containsEntry(FIRST, new OffsetAndMetadata(6));
    assertThat(gone).isEmpty();
  }

  @Test
  void fewRecords_areNoReasonToPollAgain() {
    assertThat(LargePoll.of(records(FIRST, 0, MOST - 1, 100), MOST, endless(100), gone)).hasSize(9);
    assertThat(polls).isZero();
  }

  @Test
  void largeRecords_areEnoughByThemselves() {
    int bytes = LargePoll.MOST_BYTES / MOST;
    assertThat(LargePoll.of(records(FIRST, 0, MOST, bytes + 1), MOST, endless(100), gone))
        .hasSize(MOST);
    assertThat(polls).isZero();
    assertThat(LargePoll.of(records(FIRST, 0, MOST, bytes / 2), MOST, endless(bytes), gone))
        .hasSize(2 * MOST);
  }

  @Test
  void recordsWithoutEnd_areBounded() {
    assertThat(LargePoll.of(records(FIRST, 0, MOST, 1), MOST, endless(1), gone))
        .hasSize(LargePoll.MOST_POLLS * MOST);
  }
}
