package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PartitionMergeTest {
  private final PartitionMerge merge = new PartitionMerge(ConsumerRecord::timestamp);

  @BeforeEach
  void begin() {
    merge.begin(0);
    merge.begin(1);
  }

  @Test
  void records_areHeldUntilEveryPartitionHasOneOrHasEnded() {
    merge.add(0, List.of(record(0, 0, 10), record(0, 1, 30)));
    merge.add(1, List.of());
    assertThat(passed()).isEmpty();
    assertThat(merge.waiting(0)).isEqualTo(2);

    merge.add(1, List.of(record(1, 0, 20)));
    assertThat(passed()).containsExactly("0-0", "1-0");
    assertThat(merge.waiting(1)).isZero();

    merge.end(1);
    assertThat(passed()).containsExactly("0-1");
    merge.end(0);
    assertThat(passed()).isEmpty();
  }

  @Test
  void partition_thatIsNotInOrder_keepsItsOrder() {
    merge.add(0, List.of(record(0, 0, 30), record(0, 1, 10)));
    merge.add(1, List.of(record(1, 0, 20), record(1, 1, 30)));
    merge.end(0);
    merge.end(1);

    assertThat(passed()).containsExactly("1-0", "0-0", "0-1", "1-1");
  }

  @Test
  void partitions_inOrder_areMergedInOrderHoweverTheyCome() {
    Seeded.check(
        50,
        random -> {
          PartitionMerge any = new PartitionMerge(ConsumerRecord::timestamp);
          int partitions = 1 + random.nextInt(5);
          Map<Integer, List<ConsumerRecord<byte[], byte[]>>> left = new HashMap<>();
          for (int partition = 0; partition < partitions; partition++) {
            any.begin(partition);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            long time = 0;
            for (int i = random.nextInt(50); i > 0; i--) {
              time += random.nextInt(5);
              records.add(record(partition, records.size(), time));
            }
            left.put(partition, records);
          }
          int all = left.values().stream().mapToInt(List::size).sum();
          List<Long> times = new ArrayList<>();

          while (!left.isEmpty()) {
            List<Integer> open = new ArrayList<>(left.keySet());
            int partition = open.get(random.nextInt(open.size()));
            List<ConsumerRecord<byte[], byte[]>> records = left.get(partition);
            if (records.isEmpty()) {
              any.end(partition);
              left.remove(partition);
            } else {
              List<ConsumerRecord<byte[], byte[]>> some =
                  records.subList(0, 1 + random.nextInt(records.size()));
              any.add(partition, List.copyOf(some));
              some.clear();
            }
            any.passOn(record -> times.add(record.timestamp()));
          }

          assertThat(times).hasSize(all).isSorted();
        });
  }

  private List<String> passed() {
    List<String> passed = new ArrayList<>();
    merge.passOn(record -> passed.add(record.partition() + "-" + record.offset()));
    return passed;
  }

  private static ConsumerRecord<byte[], byte[]> record(int partition, long offset, long millis) {
    return new ConsumerRecord<>(
        "topic",
        partition,
        offset,
        millis,
        TimestampType.CREATE_TIME,
        0,
        0,
        new byte[0],
        new byte[0],
        new RecordHeaders(),
        Optional.empty());
  }
}
