package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.config.AdmissionConfig;
import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.internal.kafka.EventSender;
import io.quotaenforcer.client.internal.kafka.EventSender.PendingEvent;
import io.quotaenforcer.client.internal.kafka.KafkaLink;
import io.quotaenforcer.client.internal.kafka.KafkaPresence;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/**
 * Emits request events for services that report requests after the fact. Never waits: once {@code
 * request.events.capacity} events are waiting to be sent, new ones are dropped and counted.
 *
 * <p>Safe for use by any number of threads. An event is written once even if a write is retried
 * (idempotent producer), and carries an id of its own, so that the enforcer counts it once however
 * often it is seen.
 *
 * <p>Values of attributes that {@code hash.attributes} names leave this process hashed.
 */
public final class RequestEventEmitter implements AutoCloseable {
  private final BlockingQueue<PendingEvent> queue;
  private final EventSender sender;
  private final Clocks clocks;
  private final LongAdder dropped = new LongAdder();

  /**
   * @param boundary what of requests may leave this process, and when
   */
  RequestEventEmitter(
      AdmissionConfig config,
      Clocks clocks,
      EventSender.Boundary boundary,
      KafkaPresence presence) {
    this.clocks = clocks;
    this.queue = new ArrayBlockingQueue<>(config.events().capacity());
    this.sender =
        new EventSender(
            queue,
            config.events().service(),
            boundary,
            config.wire(),
            KafkaLink.producers(config.kafka().producerProperties()),
            presence);
    this.sender.start();
  }

  /**
   * Starts an emitter. Does not wait for Kafka.
   *
   * @param properties see the settings reference of the admission client; at least {@code
   *     bootstrap.servers}
   * @throws IllegalArgumentException naming every property that is unknown or has a bad value
   */
  public static RequestEventEmitter create(Map<String, ?> properties) {
    AdmissionConfig config = AdmissionSettings.read(properties, UnaryOperator.identity());
    return new RequestEventEmitter(
        config,
        Clocks.system(),
        new EventSender.Boundary(() -> true, config.hashing().leaving(Set::of)),
        KafkaPresence.of(config.kafka().producerProperties()));
  }

  /**
   * Emits one request that nobody has counted yet: the enforcer counts it, by the time of this
   * call.
   *
   * @param outcome whether the service has admitted the request
   * @return false if it was dropped because too many events are waiting
   */
  public boolean emit(Request request, Outcome outcome) {
    return emit(request, outcome, CountedBy.ENFORCER);
  }

  boolean emit(Request request, Outcome outcome, CountedBy countedBy) {
    long micros = Math.floorDiv(clocks.epochNanos().getAsLong(), 1_000L);
    boolean accepted = queue.offer(new PendingEvent(request, micros, outcome, countedBy));
    if (!accepted) {
      dropped.increment();
    }
    return accepted;
  }

  /**
   * How many events were dropped: too many were waiting, they could not be encoded, or they were
   * still waiting when the time to close was over.
   */
  public long dropped() {
    return dropped.sum() + sender.dropped();
  }

  /** How many events were handed to Kafka and acknowledged. */
  public long acknowledged() {
    return sender.acknowledged();
  }

  /** Sends the events that are waiting, for at most 10 seconds, and ends. */
  @Override
  public void close() {
    close(Duration.ofSeconds(10));
  }

  /** From now on it sends what is waiting, and ends. */
  void stop() {
    sender.stop();
  }

  /** Sends what is waiting, for at most so long. */
  void close(Duration timeout) {
    sender.close(timeout);
  }
}
