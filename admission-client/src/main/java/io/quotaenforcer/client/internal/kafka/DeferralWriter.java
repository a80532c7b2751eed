package io.quotaenforcer.client.internal.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.client.internal.Failures;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records for the queues of deferred requests, in the order in which they are handed over,
 * on a thread of its own. The thread and its producer start with the first record.
 */
public final class DeferralWriter {
  private static final Logger log = LoggerFactory.getLogger(DeferralWriter.class);

  /** Most bytes that may wait to be acknowledged: 64 payloads of the largest size. */
  public static final long MAX_WAITING_BYTES = 64L << 20;

  private static final long IDLE_MILLIS = 20;
  private static final long RETRY_MILLIS = 1_000;

  /** An item that waits longer for Kafka is not written, as a producer would give it up. */
  private static final long GIVE_UP_NANOS = 10_000_000_000L;

  private final Wire wire;
  private final IntSupplier partitions;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final KafkaPresence presence;
  private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final Thread thread;

  @GuardedBy("this")
  private boolean started;

  @GuardedBy("this")
  private boolean closed;

  private volatile boolean stopping;
  private volatile boolean failing;

  /** Whether a record is in the topic. */
  public enum Written {
    YES,
    NO,
    UNKNOWN
  }

  /** Something to be written. */
  public interface Item {

    QuotaKey quotaKey();

    /** About how many bytes it holds in memory. */
    int bytes();

    /**
     * The record to write; empty if it is not to be written any more.
     *
     * @param partitions of the topic
     */
    Optional<DeferralInput> input(int partitions);

    /** Is told once what became of it, unless it was not to be written. Must not wait. */
    void outcome(Written written, @Nullable Exception cause);
  }

  private record Waiting(Item item, long sinceNanos) {}

  /**
   * @param partitions of the topics of the prefix; 0 as long as they are not known
   */
  public DeferralWriter(
      Wire wire,
      String instance,
      IntSupplier partitions,
      Supplier<Producer<byte[], byte[]>> producers,
      KafkaPresence presence) {
    this.presence = presence;
    this.wire = wire;
    this.partitions = partitions;
    this.producers = producers;
    this.thread = new Thread(this::run, "quota-deferrals-" + instance);
    this.thread.setDaemon(true);
  }

  /**
   * Takes an item to be written. Never waits.
   *
   * @return false if too many bytes wait already, or the writer is closed
   */
  public synchronized boolean offer(Item item) {
    if (closed || (item.bytes() > 0 && waitingBytes.get() + item.bytes() > MAX_WAITING_BYTES)) {
      return false;
    }
    if (!started) {
      // Where the system has no thread left it throws, and is tried again with the next one.
      thread.start();
      started = true;
    }
    waitingBytes.addAndGet(item.bytes());
    queue.add(new Waiting(item, System.nanoTime()));
    return true;
  }

  /** From now on it writes what is waiting, and ends; false if it never began. */
  public synchronized boolean stop() {
    closed = true;
    stopping = true;
    return started;
  }

  /** Writes what is waiting and ends the thread, within {@code timeout}. */
  public void close(Duration timeout) {
    if (!stop()) {
      return;
    }
    try {
      thread.join(Math.max(1, timeout.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }

  private void run() {
    try {
      while (!isDone()) {
        try {
          write();
        } catch (RuntimeException | Error e) {
          // Errors, too: nobody else does this thread's work.
          failed(Failures.asException(e));
          TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      // close() waits no longer.
    }
    for (Waiting next = queue.poll(); next != null; next = queue.poll()) {
      outcome(next.item, Written.NO, new IllegalStateException("the client was closed"));
    }
  }

  private void write() throws InterruptedException {
    if (presence.isAway()) {
      giveUpOld(new TimeoutException("Kafka cannot be reached"));
      TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
      return;
    }
    try (Producer<byte[], byte[]> producer = producers.get()) {
      awaitTopic(producer);
      sendAll(producer);
    }
  }

  /** A first look at a topic may take longer than a send waits: what is to be sent waits here. */
  private void awaitTopic(Producer<byte[], byte[]> producer) {
    while (!isDone() && !presence.isAway()) {
      try {
        producer.partitionsFor(wire.topics().deferred().name());
        return;
      } catch (TimeoutException e) {
        giveUpOld(e);
      }
    }
  }

  private void giveUpOld(TimeoutException cause) {
    Waiting oldest = queue.peek();
    while (oldest != null && System.nanoTime() - oldest.sinceNanos >= GIVE_UP_NANOS) {
      queue.remove();
      outcome(oldest.item, Written.NO, cause);
      oldest = queue.peek();
    }
  }

  private boolean isDone() {
    return stopping && queue.isEmpty();
  }

  private void sendAll(Producer<byte[], byte[]> producer) throws InterruptedException {
    while (!isDone() && !presence.isAway()) {
      int known = partitions.getAsInt();
      if (known == 0) {
        TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
        continue;
      }
      Waiting next = queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
      if (next != null) {
        send(producer, next.item, known);
      }
    }
  }

  private void send(Producer<byte[], byte[]> producer, Item item, int known) {
    ProducerRecord<byte[], byte[]> record;
    try {
      Optional<DeferralInput> input = item.input(known);
      if (input.isEmpty()) {
        waitingBytes.addAndGet(-item.bytes());
        return;
      }
      record = record(item.quotaKey(), input.get(), known);
    } catch (RuntimeException | Error e) {
      outcome(item, Written.NO, Failures.asException(e));
      return;
    }
    Sending sending = new Sending(item);
    try {
      producer.send(record, (sent, failure) -> sending.outcome(failure));
    } catch (RuntimeException | Error e) {
      sending.outcome(Failures.asException(e));
      throw e;
    } finally {
      sending.handedOver = true;
    }
  }

  /** A failure before the producer has taken a record says that it is not written. */
  private final class Sending {
    private final Item item;
    private volatile boolean handedOver;

    @GuardedBy("this")
    private boolean told;

    Sending(Item item) {
      this.item = item;
    }

    synchronized void outcome(@Nullable Exception failure) {
      if (told) {
        return;
      }
      told = true;
      if (failure == null) {
        DeferralWriter.this.outcome(item, Written.YES, null);
      } else {
        boolean refused = !handedOver && Thread.currentThread() == thread;
        DeferralWriter.this.outcome(item, refused ? Written.NO : Written.UNKNOWN, failure);
      }
    }
  }

  private ProducerRecord<byte[], byte[]> record(QuotaKey key, DeferralInput input, int known) {
    return new ProducerRecord<>(
        wire.topics().deferred().name(),
        key.partition(known),
        key.toString().getBytes(StandardCharsets.UTF_8),
        wire.encode(input));
  }

  private void outcome(Item item, Written written, @Nullable Exception cause) {
    waitingBytes.addAndGet(-item.bytes());
    if (cause == null) {
      failing = false;
    } else {
      failed(cause);
    }
    item.outcome(written, cause);
  }

  private void failed(Exception cause) {
    if (!failing && !presence.isAway()) {
      failing = true;
      log.warn("cannot write deferred requests and what became of replays: {}", cause.toString());
    }
  }
}
