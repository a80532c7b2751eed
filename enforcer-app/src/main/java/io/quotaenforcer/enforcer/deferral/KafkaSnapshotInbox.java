package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.schemas.topic.Wire;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
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
  private static final long RETRY_MILLIS = 1_000;
  private static final long CLOSE_MILLIS = 5_000;

  private final TopicPartition partition;
  private final Map<String, Object> properties;
  private final LongSupplier clock;
  private final Map<ByteBuffer, Queue<Received>> boxes = new ConcurrentHashMap<>();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean following;
  private boolean failing;
  private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;

  /**
   * @param partition of the snapshots topic
   * @param properties of the consumer
   * @param monotonicNanos the clock that leases run on
   */
  public KafkaSnapshotInbox(
      Wire wire, int partition, Map<String, Object> properties, LongSupplier monotonicNanos) {
    this.partition = new TopicPartition(wire.topics().snapshots().name(), partition);
    this.properties = new HashMap<>(properties);
    // Most of what is in the partition is for others: few large fetches cost less than many.
    this.properties.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, FETCH_MIN_BYTES);
    this.properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MILLIS);
    this.clock = monotonicNanos;
    this.thread = new Thread(this::run, "quota-replay-snapshots");
    this.thread.setDaemon(true);
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

  @Override
  public void close() {
    stopping.countDown();
    KafkaConsumer<byte[], byte[]> open = consumer;
    if (open != null) {
      open.wakeup();
    }
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (stopping.getCount() > 0) {
      try (KafkaConsumer<byte[], byte[]> open =
          new KafkaConsumer<>(
              properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
        consumer = open;
        follow(open);
      } catch (WakeupException e) {
        return;
      } catch (RuntimeException | Error e) {
        if (!failing) {
          log.warn(
              "cannot read snapshots; deferred requests wait until it works: {}", e.toString());
        }
        failing = true;
        if (!pause()) {
          return;
        }
      } finally {
        consumer = null;
      }
    }
  }

  private void follow(KafkaConsumer<byte[], byte[]> open) {
    open.assign(List.of(partition));
    open.seekToEnd(List.of(partition));
    // Answers to reports that are sent before the position is known would be missed.
    open.position(partition);
    following = true;
    while (stopping.getCount() > 0) {
      ConsumerRecords<byte[], byte[]> polled = open.poll(POLL);
      failing = false;
      for (ConsumerRecord<byte[], byte[]> record : polled) {
        Queue<Received> box =
            record.key() == null ? null : boxes.get(ByteBuffer.wrap(record.key()));
        if (box != null) {
          box.add(new Received(record.value(), clock.getAsLong()));
        }
      }
    }
  }

  private boolean pause() {
    try {
      return !stopping.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
