package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.enforcer.consumer.ConsumerThread;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.lifecycle.Trouble;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one partition of the snapshots topic, in a thread of its own, for all queues of the
 * process.
 */
public final class KafkaSnapshotInbox implements SnapshotInbox, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KafkaSnapshotInbox.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int FETCH_MIN_BYTES = 1 << 20;
  private static final int FETCH_MAX_WAIT_MILLIS = 30;

  private final TopicPartition partition;
  private final LongSupplier clock;
  private final Map<ByteBuffer, Queue<Received>> boxes = new ConcurrentHashMap<>();
  private final Trouble trouble =
      new Trouble(log, "cannot read snapshots; deferred requests wait until it works");
  private final ConsumerThread thread;
  private volatile boolean following;

  /**
   * @param partition of the snapshots topic
   * @param properties of the consumer
   * @param monotonicNanos the clock that leases run on
   */
  public KafkaSnapshotInbox(
      Wire wire, int partition, Map<String, Object> properties, LongSupplier monotonicNanos) {
    this(wire, partition, () -> consumer(properties), monotonicNanos);
  }

  KafkaSnapshotInbox(
      Wire wire,
      int partition,
      Supplier<Consumer<byte[], byte[]>> consumers,
      LongSupplier monotonicNanos) {
    this.partition = new TopicPartition(wire.topics().snapshots().name(), partition);
    this.clock = monotonicNanos;
    this.thread = new ConsumerThread("quota-replay-snapshots", consumers, trouble, this::follow);
  }

  private static Consumer<byte[], byte[]> consumer(Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    // Most records in the partition are for others: few large fetches cost less than many.
    all.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, FETCH_MIN_BYTES);
    all.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MILLIS);
    return ConsumerThread.ofBytes(all);
  }

  public void start() {
    thread.start();
  }

  @Override
  public Box open(byte[] snapshotKey) {
    ByteBuffer key = ByteBuffer.wrap(snapshotKey.clone());
    Queue<Received> received = new ConcurrentLinkedQueue<>();
    boxes.put(key, received);
    return new Box() {
      @Override
      public boolean isOpen() {
        return following;
      }

      @Override
      public int partition(int partitions) {
        return partition.partition();
      }

      @Override
      public @Nullable Received poll() {
        return received.poll();
      }

      @Override
      public void close() {
        boxes.remove(key);
      }
    };
  }

  /** Why snapshots cannot be read at present; empty when they can. */
  public Optional<String> trouble() {
    return trouble.now();
  }

  @Override
  public void close() {
    thread.close();
  }

  private void follow(Consumer<byte[], byte[]> open) {
    open.assign(List.of(partition));
    open.seekToEnd(List.of(partition));
    // Answers to reports that are sent before the position is known would be missed.
    open.position(partition);
    following = true;
    while (!thread.isClosing()) {
      for (ConsumerRecord<byte[], byte[]> record : open.poll(POLL)) {
        Queue<Received> box =
            record.key() == null ? null : boxes.get(ByteBuffer.wrap(record.key()));
        if (box != null) {
          box.add(new Received(record.value(), clock.getAsLong()));
        }
      }
      if (open.currentLag(partition).isPresent()) {
        trouble.end();
      }
    }
  }
}
