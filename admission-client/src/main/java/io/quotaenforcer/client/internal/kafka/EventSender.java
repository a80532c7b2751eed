package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that takes request events from a queue and writes them to Kafka. It looks into the
 * queue from time to time: to wake it with each event would cost those who emit many times as much
 * as the event.
 */
public final class EventSender {
  private static final Logger log = LoggerFactory.getLogger(EventSender.class);
  private static final int BATCH = 500;
  private static final long SHORTEST_PAUSE_NANOS = 5_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 80_000_000L;
  private static final long RETRY_NANOS = 1_000_000_000L;
  private static final long RETRY_CLOSING_MILLIS = 200;
  private static final long LOST_EVERY_NANOS = 60_000_000_000L;
  private static final long DELIVERY_NANOS = 10_000_000_000L;
  private static final long CLOSE_GRACE_MILLIS = 100;

  private final BlockingQueue<PendingEvent> queue;
  private final String service;
  private final Boundary boundary;
  private final String idPrefix;
  private final Wire wire;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final KafkaPresence presence;
  private final Queue<PendingEvent> taken = new ArrayDeque<>(BATCH);
  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final Thread thread;
  private volatile long deadlineNanos;
  private long sequence;
  private long nextLostNanos = System.nanoTime();
  private final LookPause lookPause = new LookPause();
  private volatile boolean stopping;
  private volatile boolean suspect;
  private volatile boolean failing;

  /**
   * The part of requests that may leave this process.
   *
   * @param isKnown whether it is known by now; events wait until it is
   * @param leaving makes what may leave of a request
   */
  public record Boundary(BooleanSupplier isKnown, UnaryOperator<Request> leaving) {}

  /**
   * A request that is to become an event.
   *
   * @param micros when it was made, in microseconds since 1970-01-01T00:00Z
   */
  public record PendingEvent(Request request, long micros, Outcome outcome, CountedBy countedBy) {}

  /**
   * @param service that the requests were made to
   */
  public EventSender(
      BlockingQueue<PendingEvent> queue,
      String service,
      Boundary boundary,
      Wire wire,
      Supplier<Producer<byte[], byte[]>> producers,
      KafkaPresence presence) {
    this.queue = queue;
    this.service = service;
    this.boundary = boundary;
    this.idPrefix = HexFormat.of().toHexDigits(new SecureRandom().nextLong()) + "-";
    this.wire = wire;
    this.producers = producers;
    this.presence = presence;
    this.thread = new Thread(this::run, "quota-request-events");
    this.thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  public long acknowledged() {
    return acknowledged.sum();
  }

  /** Events that no producer was given: they could not be encoded, or were left at the end. */
  public long dropped() {
    return dropped.sum();
  }

  /** From now on it sends what is waiting, and ends. */
  public void stop() {
    stop(DELIVERY_NANOS);
  }

  private void stop(long nanos) {
    deadlineNanos = System.nanoTime() + nanos;
    stopping = true;
    LockSupport.unpark(thread);
  }

  /** Sends what is waiting and ends the thread, within {@code timeout}. */
  public void close(Duration timeout) {
    stop(timeout.toNanos());
    try {
      thread.join(timeout.toMillis() + CLOSE_GRACE_MILLIS);
      thread.interrupt();
      thread.join(CLOSE_GRACE_MILLIS);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    sendAll();
    int left = queue.size() + taken.size();
    if (left > 0) {
      dropped.add(left);
      log.warn(
          boundary.isKnown().getAsBoolean()
              ? "{} request events are lost: they could not be sent before the end"
              : "{} request events are lost: the rules never came that say what to hash",
          left);
    }
  }

  private void sendAll() {
    while (!isDone()) {
      try {
        awaitKafka();
        Producer<byte[], byte[]> producer = producers.get();
        try {
          send(producer);
        } finally {
          producer.close(closeTimeout());
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) {
        // Errors, too: nobody else does this thread's work.
        failed(e);
        if (!pause()) {
          return;
        }
      }
    }
  }

  /** Time for events on their way: a producer gives them up after the delivery timeout. */
  private Duration closeTimeout() {
    long left = stopping ? deadlineNanos - System.nanoTime() : DELIVERY_NANOS;
    return Duration.ofNanos(Math.max(0, Math.min(left, DELIVERY_NANOS)));
  }

  private void send(Producer<byte[], byte[]> producer) throws InterruptedException {
    long pause = SHORTEST_PAUSE_NANOS;
    while (!isDone() && !isAway()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!boundary.isKnown().getAsBoolean()
          || (taken.isEmpty() && queue.drainTo(taken, BATCH) == 0)) {
        LockSupport.parkNanos(this, pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        continue;
      }
      pause = SHORTEST_PAUSE_NANOS;
      while (!taken.isEmpty() && !isAway()) {
        ProducerRecord<byte[], byte[]> record = next();
        taken.remove();
        if (record != null) {
          producer.send(record, (sent, failure) -> outcome(failure));
        }
      }
    }
  }

  /**
   * While the schema registry is away, the next event waits, and all behind it. One that cannot be
   * made for another reason is lost, and holds nobody up: null.
   */
  private @Nullable ProducerRecord<byte[], byte[]> next() {
    try {
      RequestEvent event = event(taken.element());
      return new ProducerRecord<>(
          wire.topics().requestEvents().name(),
          event.id().getBytes(StandardCharsets.UTF_8),
          wire.encode(event));
    } catch (RuntimeException | Error e) {
      if (waits(e)) {
        throw e;
      }
      dropped.increment();
      lost(e);
      return null;
    }
  }

  private boolean isDone() {
    return stopping && ((queue.isEmpty() && taken.isEmpty()) || !boundary.isKnown().getAsBoolean());
  }

  private boolean isAway() {
    if (suspect) {
      suspect = false;
      return presence.look();
    }
    return presence.isAway();
  }

  /** Events that come meanwhile wait in the queue, as long as there is room. */
  private void awaitKafka() throws InterruptedException {
    lookPause.reset();
    while (presence.look()) {
      TimeUnit.MILLISECONDS.sleep(lookPause.nextMillis());
    }
  }

  private RequestEvent event(PendingEvent pending) {
    return new RequestEvent(
        idPrefix + ++sequence,
        boundary.leaving().apply(pending.request()),
        pending.micros(),
        pending.outcome(),
        pending.countedBy(),
        service);
  }

  private void outcome(@Nullable Exception failure) {
    if (failure == null) {
      failing = false;
      acknowledged.increment();
    } else {
      failed(failure);
    }
  }

  private static boolean waits(Throwable failure) {
    return failure instanceof RuntimeException e && Wire.isReadableLater(e);
  }

  private void failed(Throwable failure) {
    suspect = true;
    if (!failing && !presence.isAway()) {
      failing = true;
      log.warn(
          waits(failure)
              ? "cannot write request events; they wait, as many as there is room for"
              : "cannot write request events; they are lost until it works again",
          failure);
    }
  }

  private void lost(Throwable failure) {
    long now = System.nanoTime();
    if (now - nextLostNanos >= 0) {
      nextLostNanos = now + LOST_EVERY_NANOS;
      log.warn("cannot encode a request event; it is lost, of {} by now", dropped(), failure);
    }
  }

  /** Whether there is time for another try. */
  private boolean pause() {
    long until = System.nanoTime() + RETRY_NANOS;
    try {
      do {
        TimeUnit.MILLISECONDS.sleep(RETRY_CLOSING_MILLIS);
      } while (!stopping && System.nanoTime() - until < 0);
    } catch (InterruptedException e) {
      return false;
    }
    return !stopping || System.nanoTime() - deadlineNanos < 0;
  }
}
