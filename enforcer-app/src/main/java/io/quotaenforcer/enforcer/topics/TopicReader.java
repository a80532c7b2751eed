package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.enforcer.topics.LentConsumer.Deleted;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads a topic up to where it ends now, or on, without a consumer group: it leaves no trace. Where
 * brokers delete records that are still to be read, reading fails rather than pass over them.
 */
public final class TopicReader {
  private static final Duration POLL = Duration.ofMillis(100);

  /** Records of one partition that may wait for other partitions. */
  private static final int MAX_WAITING = 1_000;

  /** Brokers are asked whether they are there once so much time has passed. */
  private static final long SILENCE_NANOS = 5_000_000_000L;

  private final Brokers brokers;
  private final LongSupplier monotonicNanos;

  public TopicReader(Brokers brokers, LongSupplier monotonicNanos) {
    this.brokers = brokers;
    this.monotonicNanos = monotonicNanos;
  }

  /**
   * Passes on all committed records, partition by partition as they come.
   *
   * @param sinceMillis epoch milliseconds before which nothing is read
   * @throws BrokersException when the brokers do not answer
   */
  public void read(
      String topic, Optional<Long> sinceMillis, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    with(consumer -> read(consumer, position(consumer, topic, sinceMillis), sink), topic);
  }

  /**
   * Passes on all committed records of one partition.
   *
   * @throws BrokersException when the brokers do not answer
   */
  public void readPartition(
      TopicPartition partition, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    with(
        consumer -> {
          consumer.assign(List.of(partition));
          consumer.seekToBeginning(List.of(partition));
          read(consumer, consumer.endOffsets(List.of(partition)), sink);
        },
        partition.topic());
  }

  /**
   * Passes on all committed records of one partition, and those to come, until the thread is
   * interrupted.
   *
   * @param atEnd called once, when those that there are now were passed on
   * @throws BrokersException when the brokers do not answer, or do so no longer
   */
  public void followPartition(
      TopicPartition partition, Runnable atEnd, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    with(
        consumer -> {
          try {
            follow(consumer, partition, atEnd, sink);
          } catch (InterruptException e) {
            // Which has set it again; closing must not be interrupted.
            Thread.interrupted();
          }
        },
        partition.topic());
  }

  /**
   * Passes on all committed records, the partitions merged by the records' times. Holds two
   * thousand records of each partition at most.
   *
   * @param sinceMillis epoch milliseconds before which nothing is read
   * @param timeMillis of a record
   * @throws BrokersException when the brokers do not answer
   */
  public void readMerged(
      String topic,
      long sinceMillis,
      ToLongFunction<ConsumerRecord<byte[], byte[]>> timeMillis,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    readMerged(topic, sinceMillis, timeMillis, sink, () -> true);
  }

  /**
   * The same, as long as it is wanted.
   *
   * @param goesOn asked before each record, and while none comes
   */
  public void readMerged(
      String topic,
      long sinceMillis,
      ToLongFunction<ConsumerRecord<byte[], byte[]>> timeMillis,
      Consumer<ConsumerRecord<byte[], byte[]>> sink,
      BooleanSupplier goesOn) {
    with(
        consumer ->
            merge(
                consumer,
                position(consumer, topic, Optional.of(sinceMillis)),
                timeMillis,
                sink,
                goesOn),
        topic);
  }

  /**
   * Passes on all committed records from an offset of each partition on, as far as there are any
   * left.
   *
   * @param from by partition; others are not read
   * @param most offsets, all together
   * @return false, and nothing is read, where there are more
   * @throws BrokersException when the brokers do not answer
   */
  public boolean readFrom(
      String topic,
      Map<Integer, Long> from,
      long most,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    AtomicBoolean isFew = new AtomicBoolean();
    with(
        consumer -> {
          Map<TopicPartition, Long> starts = new HashMap<>();
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .filter(it -> from.containsKey(it.partition()))
              .forEach(it -> starts.put(it, from.getOrDefault(it.partition(), 0L)));
          consumer.assign(starts.keySet());
          Map<TopicPartition, Long> begins = consumer.beginningOffsets(starts.keySet());
          starts.replaceAll((it, offset) -> Math.max(offset, begins.getOrDefault(it, 0L)));
          Map<TopicPartition, Long> ends = consumer.endOffsets(starts.keySet());
          starts.entrySet().removeIf(it -> it.getValue() >= end(ends, it.getKey()));
          ends.keySet().retainAll(starts.keySet());
          isFew.set(
              starts.entrySet().stream()
                      .mapToLong(it -> end(ends, it.getKey()) - it.getValue())
                      .sum()
                  <= most);
          if (isFew.get()) {
            consumer.assign(starts.keySet());
            starts.forEach(consumer::seek);
            read(consumer, ends, sink);
          }
        },
        topic);
    return isFew.get();
  }

  private void with(Consumer<KafkaConsumer<byte[], byte[]>> reading, String topic) {
    LentConsumer.lend(brokers, topic, Deleted.FAILS, reading);
  }

  /** Finds the end of each partition; the consumer is left at the starting positions. */
  private static Map<TopicPartition, Long> position(
      KafkaConsumer<byte[], byte[]> consumer, String topic, Optional<Long> sinceMillis) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    sinceMillis.ifPresent(since -> seek(consumer, since, ends));
    return ends;
  }

  private void read(
      KafkaConsumer<byte[], byte[]> consumer,
      Map<TopicPartition, Long> ends,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    Polling polling = new Polling(consumer);
    while (ends.keySet().stream().anyMatch(it -> consumer.position(it) < end(ends, it))) {
      ConsumerRecords<byte[], byte[]> records = polling.poll();
      for (TopicPartition partition : records.partitions()) {
        before(end(ends, partition), records.records(partition)).forEach(sink);
      }
    }
  }

  /** Never returns, but throws {@link InterruptException}. */
  private void follow(
      KafkaConsumer<byte[], byte[]> consumer,
      TopicPartition partition,
      Runnable atEnd,
      Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long end = end(consumer.endOffsets(List.of(partition)), partition);
    Polling polling = new Polling(consumer);
    while (consumer.position(partition) < end) {
      polling.poll().forEach(sink);
    }
    atEnd.run();
    long heardNanos = monotonicNanos.getAsLong();
    while (true) {
      consumer.poll(POLL).forEach(sink);
      if (monotonicNanos.getAsLong() - heardNanos > SILENCE_NANOS) {
        // A consumer says nothing when brokers are away.
        consumer.endOffsets(List.of(partition));
        heardNanos = monotonicNanos.getAsLong();
      }
    }
  }

  private void merge(
      KafkaConsumer<byte[], byte[]> consumer,
      Map<TopicPartition, Long> ends,
      ToLongFunction<ConsumerRecord<byte[], byte[]>> timeMillis,
      Consumer<ConsumerRecord<byte[], byte[]>> sink,
      BooleanSupplier goesOn) {
    Consumer<ConsumerRecord<byte[], byte[]>> wanted =
        record -> {
          if (goesOn.getAsBoolean()) {
            sink.accept(record);
          }
        };
    Polling polling = new Polling(consumer);
    PartitionMerge merge = new PartitionMerge(timeMillis);
    ends.keySet().forEach(partition -> merge.begin(partition.partition()));
    Set<TopicPartition> open = new HashSet<>(ends.keySet());
    while (true) {
      for (TopicPartition partition : List.copyOf(open)) {
        if (consumer.position(partition) >= end(ends, partition)) {
          merge.end(partition.partition());
          consumer.pause(List.of(partition));
          open.remove(partition);
        }
      }
      merge.passOn(wanted);
      if (open.isEmpty() || !goesOn.getAsBoolean()) {
        return;
      }
      for (TopicPartition partition : open) {
        if (merge.waiting(partition.partition()) > MAX_WAITING) {
          consumer.pause(List.of(partition));
        } else {
          consumer.resume(List.of(partition));
        }
      }
      ConsumerRecords<byte[], byte[]> records = polling.poll();
      for (TopicPartition partition : records.partitions()) {
        merge.add(partition.partition(), before(end(ends, partition), records.records(partition)));
      }
    }
  }

  /** Polls until nothing has come for too long. */
  private final class Polling {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private long progressNanos = monotonicNanos.getAsLong();

    Polling(KafkaConsumer<byte[], byte[]> consumer) {
      this.consumer = consumer;
    }

    ConsumerRecords<byte[], byte[]> poll() {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      long now = monotonicNanos.getAsLong();
      if (!records.isEmpty()) {
        progressNanos = now;
      } else if (now - progressNanos > brokers.timeout().toNanos()) {
        throw new TimeoutException("no more records came");
      }
      return records;
    }
  }

  /** The records before a partition's end. */
  private static List<ConsumerRecord<byte[], byte[]>> before(
      long end, List<ConsumerRecord<byte[], byte[]>> records) {
    int size = records.size();
    while (size > 0 && records.get(size - 1).offset() >= end) {
      size--;
    }
    return records.subList(0, size);
  }

  private static void seek(
      KafkaConsumer<byte[], byte[]> consumer, long since, Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> times =
        ends.keySet().stream().collect(Collectors.toMap(partition -> partition, it -> since));
    Map<TopicPartition, OffsetAndTimestamp> from = consumer.offsetsForTimes(times);
    for (TopicPartition partition : ends.keySet()) {
      OffsetAndTimestamp found = from.get(partition);
      consumer.seek(partition, found == null ? end(ends, partition) : found.offset());
    }
  }

  private static long end(Map<TopicPartition, Long> ends, TopicPartition partition) {
    return ends.getOrDefault(partition, 0L);
  }
}
