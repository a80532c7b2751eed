package io.quotaenforcer.pacer;

import io.quotaenforcer.client.Admission;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * A Kafka consumer that hands records out no faster than quotas allow, in the order of each
 * partition. A record takes its permits when {@link #poll} returns it. A partition whose first
 * record is throttled is paused until that record may be admitted; meanwhile polling goes on, so
 * the consumer stays in its group.
 *
 * <p>Offsets must not be committed automatically, since records that were fetched and not handed
 * out would be lost: commit with {@link #commitSync}. What a rebalance takes away before it was
 * handed out is forgotten here, and read by the next owner.
 *
 * <p>As a consumer, not safe for use by several threads, except for {@link #wakeup}.
 */
public final class Pacer<K, V> implements AutoCloseable {
  private final Consumer<K, V> consumer;
  private final Decider<K, V> decider;
  private final int maxRecords;
  private final LongSupplier monotonicNanos;
  private final PartitionQueues<K, V> queues = new PartitionQueues<>();
  private final Set<TopicPartition> paused = new HashSet<>();

  Pacer(
      Consumer<K, V> consumer,
      Admission admission,
      RecordRequests<K, V> requests,
      PacerOptions<K, V> options,
      LongSupplier monotonicNanos) {
    this.consumer = consumer;
    this.decider = new Decider<>(admission, requests, options, monotonicNanos);
    this.maxRecords = options.maxRecords();
    this.monotonicNanos = monotonicNanos;
  }

  /**
   * Makes a consumer and paces it.
   *
   * @param properties of {@link KafkaConsumer}, with deserializers, and with {@code
   *     enable.auto.commit=false}
   * @param admission stays its owner's to close
   * @throws IllegalArgumentException if offsets would be committed automatically
   */
  public static <K, V> Pacer<K, V> create(
      Map<String, Object> properties,
      Admission admission,
      RecordRequests<K, V> requests,
      PacerOptions<K, V> options) {
    checkCommits(properties);
    return around(new KafkaConsumer<>(properties), admission, requests, options);
  }

  /** Like {@link #create(Map, Admission, RecordRequests, PacerOptions)}, with the defaults. */
  public static <K, V> Pacer<K, V> create(
      Map<String, Object> properties, Admission admission, RecordRequests<K, V> requests) {
    return create(properties, admission, requests, PacerOptions.defaults());
  }

  /**
   * Paces a consumer, which is closed with this pacer. It must have been made with {@code
   * enable.auto.commit=false}, which cannot be seen from here, and be polled, paused, resumed and
   * moved by nobody else.
   *
   * @param admission stays its owner's to close
   */
  public static <K, V> Pacer<K, V> around(
      Consumer<K, V> consumer,
      Admission admission,
      RecordRequests<K, V> requests,
      PacerOptions<K, V> options) {
    return new Pacer<>(consumer, admission, requests, options, System::nanoTime);
  }

  private static void checkCommits(Map<String, Object> properties) {
    String key = ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG;
    Object value = properties.get(key);
    if (value == null || !value.toString().trim().equalsIgnoreCase("false")) {
      throw new IllegalArgumentException(
          "must be false, since records that wait to be handed out would be committed, and lost"
              + " (commit with Pacer.commitSync): "
              + key
              + "="
              + (value == null ? "true, the default" : value));
    }
  }

  /** Joins the group for these topics. */
  public void subscribe(Collection<String> topics) {
    subscribe(topics, new NoListener());
  }

  /**
   * Joins the group for these topics.
   *
   * @param listener of rebalances, in which {@link #commitSync} may be called: when partitions are
   *     revoked, what was handed out of them is still known
   */
  public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
    consumer.subscribe(topics, new Forgetting(listener));
  }

  /**
   * Hands out records that are admitted. To be called again within {@code max.poll.interval.ms}, as
   * for any consumer.
   *
   * @param timeout how long to wait for a record; zero or less does not wait
   * @return none if there was none in time; at most {@link PacerOptions#maxRecords}
   * @throws org.apache.kafka.common.KafkaException as {@link Consumer#poll} throws them: then
   *     nothing was handed out, and no permits were taken
   */
  public ConsumerRecords<K, V> poll(Duration timeout) {
    long begun = monotonicNanos.getAsLong();
    long timeoutNanos = nanos(timeout);
    while (true) {
      long now = monotonicNanos.getAsLong();
      fetch(millisToWait(timeoutNanos - (now - begun), queues.nanosToNext(now)));
      now = monotonicNanos.getAsLong();
      Map<TopicPartition, List<ConsumerRecord<K, V>>> taken =
          queues.take(now, maxRecords, decider::decide);
      pauseWhatWaits();
      if (!taken.isEmpty()) {
        return handedOut(taken);
      }
      if (now - begun >= timeoutNanos) {
        return ConsumerRecords.empty();
      }
    }
  }

  private static long millisToWait(long leftNanos, OptionalLong toNextNanos) {
    long nanos = Math.max(0, Math.min(leftNanos, toNextNanos.orElse(Long.MAX_VALUE)));
    return TimeUnit.NANOSECONDS.toMillis(nanos) + (nanos % 1_000_000 == 0 ? 0 : 1);
  }

  private void fetch(long millis) {
    ConsumerRecords<K, V> fetched = consumer.poll(Duration.ofMillis(millis));
    for (TopicPartition partition : fetched.partitions()) {
      queues.add(partition, fetched.records(partition), fetched.nextOffsets().get(partition));
    }
    Set<TopicPartition> assigned = consumer.assignment();
    queues.keepOnly(assigned);
    paused.retainAll(assigned);
  }

  private void pauseWhatWaits() {
    Set<TopicPartition> waiting = queues.waiting();
    Set<TopicPartition> toPause = new HashSet<>(waiting);
    toPause.removeAll(paused);
    Set<TopicPartition> toResume = new HashSet<>(paused);
    toResume.removeAll(waiting);
    consumer.pause(toPause);
    consumer.resume(toResume);
    paused.clear();
    paused.addAll(waiting);
  }

  private ConsumerRecords<K, V> handedOut(Map<TopicPartition, List<ConsumerRecord<K, V>>> taken) {
    Map<TopicPartition, OffsetAndMetadata> next = queues.handedOut();
    next.keySet().retainAll(taken.keySet());
    return new ConsumerRecords<>(taken, next);
  }

  /**
   * Commits all that was handed out: to be called when all of it is processed, and as a rule before
   * the next {@link #poll}. Throws what {@link Consumer#commitSync(Map)} throws.
   */
  public void commitSync() {
    Map<TopicPartition, OffsetAndMetadata> offsets = offsetsToCommit();
    if (!offsets.isEmpty()) {
      consumer.commitSync(offsets);
    }
  }

  /**
   * The offsets that {@link #commitSync} would commit for partitions that this consumer has: for
   * transactions, and for commits that do not wait. Never covers a record that was not handed out.
   */
  public Map<TopicPartition, OffsetAndMetadata> offsetsToCommit() {
    return new HashMap<>(queues.handedOut());
  }

  /**
   * Goes on reading a partition elsewhere, for instance at a record that could not be processed.
   * Its fetched records that wait are forgotten.
   *
   * @throws IllegalStateException if this consumer does not have the partition
   */
  public void seek(TopicPartition partition, long offset) {
    consumer.seek(partition, offset);
    queues.drop(List.of(partition));
    if (paused.remove(partition)) {
      consumer.resume(List.of(partition));
    }
  }

  /** How many records were fetched and wait to be handed out. */
  public int waiting() {
    return queues.size();
  }

  /** Partitions that are paused, since their first record waits. */
  public Set<TopicPartition> paused() {
    return Set.copyOf(paused);
  }

  /** Has {@link #poll} throw a {@link org.apache.kafka.common.errors.WakeupException}. */
  public void wakeup() {
    consumer.wakeup();
  }

  /** Leaves the group. Commits nothing; what waits is read by the next owner. */
  @Override
  public void close() {
    consumer.close();
  }

  private static long nanos(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(Duration.ofDays(36_500)) >= 0
        ? TimeUnit.DAYS.toNanos(36_500)
        : duration.toNanos();
  }

  /** Forgets partitions that are taken away, after the user's listener has heard of it. */
  private final class Forgetting implements ConsumerRebalanceListener {
    private final ConsumerRebalanceListener listener;

    private Forgetting(ConsumerRebalanceListener listener) {
      this.listener = listener;
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      try {
        listener.onPartitionsRevoked(partitions);
      } finally {
        forget(partitions);
      }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      // Another consumer has them already: nothing of them is to be committed.
      forget(partitions);
      listener.onPartitionsLost(partitions);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      listener.onPartitionsAssigned(partitions);
    }

    private void forget(Collection<TopicPartition> partitions) {
      queues.drop(partitions);
      paused.removeAll(partitions);
    }
  }

  private static final class NoListener implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
  }
}
