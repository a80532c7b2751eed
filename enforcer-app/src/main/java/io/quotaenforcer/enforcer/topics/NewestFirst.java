package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.enforcer.topics.LentConsumer.Deleted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads a topic from its end backwards, as far as a page needs, without a consumer group. Bounded
 * by records and by time: a page may end early, and says where to go on.
 */
public final class NewestFirst {
  private static final long MOST_RECORDS = 20_000;
  private static final Duration MOST_TIME = Duration.ofSeconds(4);
  private static final Duration POLL = Duration.ofMillis(50);

  /** A stretch may be of records of 2 MiB each: it grows while they come fast. */
  private static final int FIRST_STRETCH = 50;

  private static final int LONGEST_STRETCH = 2_000;

  private final Brokers brokers;
  private final LongSupplier monotonicNanos;

  /** A record that was taken. */
  public record Row<T>(int partition, long offset, long millis, T value) {
    private static final Comparator<Row<?>> NEWEST_FIRST =
        Comparator.<Row<?>>comparingLong(Row::millis)
            .thenComparingInt(Row::partition)
            .thenComparingLong(Row::offset)
            .reversed();
  }

  /**
   * Rows, the newest first.
   *
   * @param next the {@link Place} of the page after; empty when there is none
   * @param lookedAt records that were read
   */
  public record Page<T>(List<Row<T>> rows, Optional<String> next, long lookedAt) {}

  /**
   * Where a page ended: in each partition of which there is more, the offset before which the next
   * one begins.
   */
  public record Place(Map<Integer, Long> before) {
    private static final Pattern PART = Pattern.compile("([0-9]{1,5})-([0-9]{1,18})");

    public static Place parse(String text) {
      Map<Integer, Long> before = new TreeMap<>();
      for (String part : text.split(",", -1)) {
        Matcher numbers = PART.matcher(part);
        if (!numbers.matches()) {
          throw new IllegalArgumentException("must be what a page before gave as next: " + text);
        }
        before.put(Integer.valueOf(numbers.group(1)), Long.valueOf(numbers.group(2)));
      }
      return new Place(before);
    }

    /** The same without what an earlier page has passed. */
    public Place within(Place earlier) {
      Map<Integer, Long> both = new TreeMap<>(before);
      both.keySet().retainAll(earlier.before.keySet());
      earlier.before.forEach(
          (partition, offset) ->
              both.computeIfPresent(partition, (it, at) -> Math.min(at, offset)));
      return new Place(both);
    }

    public boolean isEnd() {
      return before.isEmpty();
    }

    /** Whether a record belongs to the pages to come. */
    public boolean isBefore(int partition, long offset) {
      return offset < before.getOrDefault(partition, 0L);
    }

    @Override
    public String toString() {
      return before.entrySet().stream()
          .map(it -> it.getKey() + "-" + it.getValue())
          .collect(Collectors.joining(","));
    }
  }

  /** What was read of one partition. */
  static final class Stretch<T> {
    final TopicPartition partition;
    final long begin;
    final List<Row<T>> newest = new ArrayList<>();
    long low;

    Stretch(TopicPartition partition, long begin, long end) {
      this.partition = partition;
      this.begin = begin;
      this.low = Math.max(begin, end);
    }
  }

  public NewestFirst(Brokers brokers, LongSupplier monotonicNanos) {
    this.brokers = brokers;
    this.monotonicNanos = monotonicNanos;
  }

  /**
   * One page.
   *
   * @param take makes a row of a record, or nothing; called in the order of offsets in stretches
   *     that go backwards
   * @param before {@link Page#next} of the page before; empty for the first
   * @throws BrokersException when the brokers do not answer
   */
  public <T> Page<T> read(
      String topic,
      Function<ConsumerRecord<byte[], byte[]>, Optional<T>> take,
      int most,
      Optional<String> before) {
    Optional<Place> place = before.map(Place::parse);
    List<Page<T>> page = new ArrayList<>();
    // What is deleted meanwhile is older than what is left: no page has it any more.
    LentConsumer.lend(
        brokers,
        topic,
        Deleted.IS_PASSED_OVER,
        consumer -> page.add(read(consumer, topic, take, most, place)));
    return page.get(0);
  }

  private <T> Page<T> read(
      KafkaConsumer<byte[], byte[]> consumer,
      String topic,
      Function<ConsumerRecord<byte[], byte[]>, Optional<T>> take,
      int most,
      Optional<Place> place) {
    long deadline = monotonicNanos.getAsLong() + MOST_TIME.toNanos();
    List<Stretch<T>> all = stretches(consumer, topic, place);
    long lookedAt = 0;
    int length = FIRST_STRETCH;
    boolean goesOn = true;
    while (goesOn) {
      goesOn = false;
      for (Stretch<T> stretch : all) {
        boolean isOpen = stretch.low > stretch.begin && stretch.newest.size() < most;
        if (isOpen && lookedAt < MOST_RECORDS && monotonicNanos.getAsLong() - deadline < 0) {
          long from = Math.max(stretch.begin, stretch.low - length);
          stretch.newest.addAll(backwards(consumer, stretch.partition, from, stretch.low, take));
          lookedAt += stretch.low - from;
          stretch.low = from;
          goesOn = true;
        }
      }
      length = Math.min(LONGEST_STRETCH, length * 4);
    }
    return page(all, most, lookedAt);
  }

  private static <T> List<Stretch<T>> stretches(
      KafkaConsumer<byte[], byte[]> consumer, String topic, Optional<Place> place) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    // It warns of offsets of partitions that it does not have.
    consumer.assign(partitions);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    List<Stretch<T>> all = new ArrayList<>();
    for (TopicPartition each : partitions) {
      long end = ends.getOrDefault(each, 0L);
      long from =
          place
              .map(it -> Math.min(end, it.before().getOrDefault(each.partition(), 0L)))
              .orElse(end);
      all.add(new Stretch<>(each, begins.getOrDefault(each, 0L), from));
    }
    return all;
  }

  /** Rows from one offset to another, the last one first. */
  private <T> List<Row<T>> backwards(
      KafkaConsumer<byte[], byte[]> consumer,
      TopicPartition partition,
      long from,
      long to,
      Function<ConsumerRecord<byte[], byte[]>, Optional<T>> take) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, from);
    long deadline = monotonicNanos.getAsLong() + brokers.timeout().toNanos();
    List<Row<T>> rows = new ArrayList<>();
    while (consumer.position(partition) < to) {
      if (monotonicNanos.getAsLong() - deadline > 0) {
        throw new TimeoutException("no more records came");
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.offset() >= from && record.offset() < to) {
          take.apply(record)
              .ifPresent(
                  value ->
                      rows.add(
                          new Row<>(
                              record.partition(), record.offset(), record.timestamp(), value)));
        }
      }
    }
    Collections.reverse(rows);
    return rows;
  }

  static <T> Page<T> page(List<Stretch<T>> all, int most, long lookedAt) {
    List<Row<T>> rows =
        all.stream()
            .flatMap(stretch -> stretch.newest.stream())
            .sorted(Row.NEWEST_FIRST)
            .limit(most)
            .toList();
    Map<Integer, Long> taken = new HashMap<>();
    rows.forEach(row -> taken.merge(row.partition(), 1L, Long::sum));
    Map<Integer, Long> next = new TreeMap<>();
    for (Stretch<T> stretch : all) {
      int own = Math.toIntExact(taken.getOrDefault(stretch.partition.partition(), 0L));
      long before =
          own < stretch.newest.size() ? stretch.newest.get(own).offset() + 1 : stretch.low;
      if (before > stretch.begin) {
        next.put(stretch.partition.partition(), before);
      }
    }
    return new Page<>(
        rows,
        Optional.of(new Place(next)).filter(it -> !it.isEnd()).map(Place::toString),
        lookedAt);
  }
}
