package io.quotaenforcer.client.kafka;

import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that takes request events from a queue and writes them to Kafka. */
public final class EventSender {
  private static final Logger log = LoggerFactory.getLogger(EventSender.class);
  private static final int BATCH = 500;
  private static final long IDLE_MILLIS = 100;
  private static final long RETRY_MILLIS = 1_000;

  private final BlockingQueue<RequestEvent> queue;
  private final Wire wire;
  private final Map<String, Object> properties;
  private final LongAdder acknowledged = new LongAdder();
  private final Thread thread;
  private volatile boolean stopping;
  private volatile boolean failing;

  public EventSender(BlockingQueue<RequestEvent> queue, Wire wire, Map<String, Object> properties) {
    this.queue = queue;
    this.wire = wire;
    this.properties = properties;
    this.thread = new Thread(this::run, "quota-request-events");
    this.thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  public long acknowledged() {
    return acknowledged.sum();
  }

  /** Sends what is waiting and ends the thread, within {@code timeout}. */
  public void close(Duration timeout) {
    stopping = true;
    try {
      thread.join(timeout.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }

  private void run() {
    while (!(stopping && queue.isEmpty())) {
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
        send(producer);
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        failed(e);
        if (stopping || !pause()) {
          return;
        }
      }
    }
  }

  private void send(KafkaProducer<byte[], byte[]> producer) throws InterruptedException {
    List<RequestEvent> batch = new ArrayList<>(BATCH);
    while (!(stopping && queue.isEmpty())) {
      RequestEvent first = queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
      if (first == null) {
        continue;
      }
      batch.add(first);
      queue.drainTo(batch, BATCH - 1);
      for (RequestEvent event : batch) {
        producer.send(
            new ProducerRecord<>(
                wire.topics().requestEvents().name(),
                event.id().getBytes(StandardCharsets.UTF_8),
                wire.encode(event)),
            (sent, failure) -> outcome(failure));
      }
      batch.clear();
    }
  }

  private void outcome(@Nullable Exception failure) {
    if (failure == null) {
      failing = false;
      acknowledged.increment();
    } else {
      failed(failure);
    }
  }

  private void failed(Exception failure) {
    if (!failing) {
      failing = true;
      log.warn("cannot write request events; they are lost until it works again", failure);
    }
  }

  private boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }
}
