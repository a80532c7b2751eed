package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.junit.jupiter.api.Test;

class FailedRecordsTest {
  private static final TopicPartition PARTITION = new TopicPartition("usage", 2);
  private static final TaskId TASK = new TaskId(0, 2);
  private static final long END = 60;

  private long nanos = -7;
  private final FailedRecords failed = new FailedRecords(() -> nanos);
  private final Set<Long> committed = new TreeSet<>();
  private final Set<Long> putAside = new TreeSet<>();
  private final List<String> threads = new ArrayList<>();
  private long position;

  private record Metadata(String topic, int partition, long offset) implements RecordMetadata {}

  private static Metadata at(long offset) {
    return new Metadata(PARTITION.topic(), PARTITION.partition(), offset);
  }

  /** One poll of a consumer that reads up to 20 records at a time. */
  private ConsumerRecords<byte[], byte[]> poll() {
    List<ConsumerRecord<byte[], byte[]>> records =
        LongStream.range(position, Math.min(position + 20, END))
            .mapToObj(
                offset ->
                    new ConsumerRecord<>(
                        PARTITION.topic(), PARTITION.partition(), offset, new byte[0], new byte[0]))
            .toList();
    position += records.size();
    return failed.alone(
        new ConsumerRecords<>(Map.of(PARTITION, records), Map.of()),
        (partition, offset) -> position = offset);
  }

  /** Reads to the end as stream threads do, whose commits fail after one of these offsets. */
  private void run(Set<Long> bad, RuntimeException failure) {
    long next = 0;
    while (next < END) {
      position = next;
      boolean alive = true;
      while (alive && position < END) {
        List<Long> read = new ArrayList<>();
        List<Long> aside = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> each : poll()) {
          Metadata record = at(each.offset());
          boolean givenUp = failed.givenUp(record).isPresent();
          failed.process(TASK, record, () -> (givenUp ? aside : read).add(each.offset()));
        }
        if (read.stream().anyMatch(bad::contains)) {
          threads.add("failed by " + read);
          failed.threadFailed(failure);
          alive = false;
        } else {
          failed.committed();
          committed.addAll(read);
          putAside.addAll(aside);
          next = position;
        }
      }
      assertThat(threads.size()).as("threads that failed: %s", threads).isLessThan(50);
    }
  }

  @Test
  void uncommittedNanos_countFromTheFirstRecordReadSinceTheLastCommit() {
    failed.process(TASK, at(1), () -> {});
    nanos += 100;
    failed.process(TASK, at(2), () -> {});
    nanos += 100;
    assertThat(failed.uncommittedNanos()).isEqualTo(200);

    failed.committed();
    nanos += 100;
    assertThat(failed.uncommittedNanos()).isZero();
  }

  @Test
  void uncommittedNanos_lostPartitions_waitForNothing() {
    failed.process(TASK, at(1), () -> {});
    failed.partitionsLost();
    nanos += 100;

    assertThat(failed.uncommittedNanos()).isZero();
  }

  @Test
  void uncommittedNanos_threadThatFailed_waitsForNothing() {
    failed.process(TASK, at(1), () -> {});
    failed.threadFailed(new IllegalStateException("no"));
    nanos += 100;

    assertThat(failed.uncommittedNanos()).isZero();
  }

  @Test
  void isIdle_untilARecordIsRead_andFromShortlyAfterItsCommit() {
    assertThat(failed.isIdle()).isTrue();

    failed.process(TASK, at(1), () -> {});
    nanos += 1_000_000_000;
    assertThat(failed.isIdle()).isFalse();

    failed.committed();
    nanos += 9_999_999;
    assertThat(failed.isIdle()).isFalse();
    nanos++;
    assertThat(failed.isIdle()).isTrue();
  }

  @Test
  void isIdle_notWhileAFrequentTickIsDue_orMayBeLate() {
    var context = new MockProcessorContext<Object, Object>();
    failed.schedule(context, Duration.ofMillis(2), "answers", timestamp -> {});
    var tick = context.scheduledPunctuators().get(0).getPunctuator();
    nanos += 13_999_999;
    assertThat(failed.isIdle()).isFalse();

    tick.punctuate(0);
    nanos += 13_999_999;
    assertThat(failed.isIdle()).isFalse();
    nanos++;
    assertThat(failed.isIdle()).as("cancelled, or so late that it waits for nothing").isTrue();
  }

  @Test
  void isIdle_betweenRareTicks() {
    var context = new MockProcessorContext<Object, Object>();
    failed.schedule(context, Duration.ofSeconds(1), "deletion", timestamp -> {});
    context.scheduledPunctuators().get(0).getPunctuator().punctuate(0);

    assertThat(failed.isIdle()).isTrue();
  }

  @Test
  void commitsFailBySomeRecords_theseAreFoundAndPutAside_andNoOthers() {
    run(Set.of(7L, 8L, 45L), new IllegalStateException("row must be smaller"));

    assertThat(putAside).containsExactly(7L, 8L, 45L);
    assertThat(committed).hasSize((int) END - 3);
    assertThat(threads).hasSizeLessThanOrEqualTo(3 * FailedRecords.MOST_TRIES + 3);
  }

  @Test
  void commitFailsByWhatKafkaRefuses_recordIsFound() {
    run(
        Set.of(30L),
        new StreamsException(new KafkaException("error state", new RecordTooLargeException("9"))));

    assertThat(putAside).containsExactly(30L);
  }

  @Test
  void commitsFailByKafka_nothingIsReadAlone() {
    for (int i = 0; i < 10; i++) {
      poll().forEach(each -> failed.process(TASK, at(each.offset()), () -> {}));
      failed.threadFailed(new StreamsException(new TimeoutException("no answer")));
      position = 0;
    }

    assertThat(poll().count()).isEqualTo(20);
    assertThat(failed.givenUp(at(0))).isEmpty();
  }

  @Test
  void threadsFailWithoutACommitBetween_howeverSlowly_taskIsStuckUntilOne() {
    for (int i = 0; i < StuckTasks.MANY; i++) {
      assertThat(failed.stuck()).isEmpty();
      failed.process(TASK, at(0), () -> {});
      failed.threadFailed(new StreamsException("no disk"));
      nanos += Duration.ofMinutes(2).toNanos();
    }
    assertThat(failed.stuck())
        .hasValueSatisfying(why -> assertThat(why).contains("task 0_2 failed 3 times", "no disk"));

    failed.process(TASK, at(0), () -> {});
    failed.committed();
    assertThat(failed.stuck()).isEmpty();
  }

  @Test
  void threadsFailWithCommitsBetween_taskIsNotStuck() {
    for (int i = 0; i < 10; i++) {
      failed.process(TASK, at(i), () -> {});
      failed.committed();
      failed.process(TASK, at(i + 1), () -> {});
      failed.threadFailed(new StreamsException("now and then"));
      assertThat(failed.stuck()).isEmpty();
    }
  }

  @Test
  void tickFailsAgainAndAgain_itRestsAndIsNamed_whileRecordsAreProcessed() {
    MockProcessorContext<byte[], Object> context = new MockProcessorContext<>();
    List<Long> ticked = new ArrayList<>();
    boolean[] works = {false};
    failed.schedule(
        context,
        Duration.ofSeconds(1),
        "release",
        time -> {
          ticked.add(time);
          if (!works[0]) {
            throw new ArithmeticException("long overflow");
          }
        });
    var tick = context.scheduledPunctuators().get(0).getPunctuator();
    for (int i = 0; i < FailedRecords.MOST_TRIES; i++) {
      assertThatThrownBy(() -> tick.punctuate(1))
          .isInstanceOf(ArithmeticException.class)
          .satisfies(failed::threadFailed);
      failed.process(TASK, at(i), () -> {});
      failed.committed();
    }

    tick.punctuate(2);
    assertThat(ticked).containsOnly(1L).hasSize(FailedRecords.MOST_TRIES);
    assertThat(failed.stuck())
        .hasValueSatisfying(
            why -> assertThat(why).contains("release of partition", "3 times", "long overflow"));

    works[0] = true;
    nanos += FailedTicks.REST_NANOS;
    tick.punctuate(3);
    failed.committed();
    assertThat(ticked).endsWith(3L);
    assertThat(failed.stuck()).isEmpty();
  }
}
