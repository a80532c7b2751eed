package io.quotaenforcer.enforcer.consumer;

import io.quotaenforcer.server.lifecycle.Trouble;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that reads from Kafka until it is closed. After a failure, of whatever kind, it begins
 * again with another consumer a second later.
 */
public final class ConsumerThread implements AutoCloseable {
  private static final long RETRY_MILLIS = 1_000;
  private static final long CLOSE_MILLIS = 5_000;

  /** What the thread does with each consumer. */
  @FunctionalInterface
  public interface Reading {
    /** Reads until the thread is closed, or a failure. */
    void read(Consumer<byte[], byte[]> consumer);
  }

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final Trouble trouble;
  private final Reading reading;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable Consumer<byte[], byte[]> consumer;

  /**
   * @param name of the thread
   * @param consumers makes one for each attempt; the thread closes it
   * @param trouble begins with each failure; the reading ends it
   */
  public ConsumerThread(
      String name, Supplier<Consumer<byte[], byte[]>> consumers, Trouble trouble, Reading reading) {
    this.consumers = consumers;
    this.trouble = trouble;
    this.reading = reading;
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
    this.thread.setUncaughtExceptionHandler((dead, failure) -> trouble.begin(failure));
  }

  /** A consumer of bytes. */
  public static Consumer<byte[], byte[]> ofBytes(Map<String, Object> properties) {
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  public void start() {
    thread.start();
  }

  /** Whether the thread is to end. */
  public boolean isClosing() {
    return closing.getCount() == 0;
  }

  /** Ends the thread, and waits for that a few seconds. */
  @Override
  public void close() {
    closing.countDown();
    Consumer<byte[], byte[]> open = consumer;
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
    while (!isClosing()) {
      try (Consumer<byte[], byte[]> open = consumers.get()) {
        consumer = open;
        reading.read(open);
      } catch (WakeupException e) {
        return;
      } catch (Throwable e) {
        // Errors, too: nobody else does this thread's work.
        trouble.begin(e);
        if (!pause()) {
          return;
        }
      } finally {
        consumer = null;
      }
    }
  }

  private boolean pause() {
    try {
      return !closing.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
