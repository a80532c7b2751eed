package io.quotaenforcer.bench.topology;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes what is to be counted, before anything counts it. */
final class Inputs implements AutoCloseable {
  /** Event time passes as if this many requests came in a second. */
  private static final int EVENTS_PER_SECOND = 100_000;

  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final String API = "POST /posts";
  private static final long SEED = 1;

  private final Wire wire;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  Inputs(Wire wire, String bootstrapServers) {
    this.wire = wire;
    Map<String, Object> properties =
        Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 20, "batch.size", 256 << 10);
    this.producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Events as a plain count takes them: the user is the key, the API the value. */
  void plain(String topic, Load load, int keys, int events) {
    SplittableRandom random = new SplittableRandom(SEED);
    long start = nowMicros();
    byte[] value = API.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < events; i++) {
      long millis = timeMicros(start, i) / 1_000;
      byte[] user = CountedRule.user(load.key(random, keys)).getBytes(StandardCharsets.UTF_8);
      send(new ProducerRecord<>(topic, null, millis, user, value));
    }
    flush();
  }

  /** Events as {@code RequestEventEmitter} writes them. */
  void requestEvents(Load load, int keys, int events) {
    SplittableRandom random = new SplittableRandom(SEED);
    long start = nowMicros();
    for (int i = 0; i < events; i++) {
      Request request = Request.of("user", CountedRule.user(load.key(random, keys)), "api", API);
      RequestEvent event =
          new RequestEvent(
              "%016x-%d".formatted(SEED, i + 1),
              request,
              timeMicros(start, i),
              Outcome.ADMITTED,
              CountedBy.ENFORCER,
              "bench");
      send(
          new ProducerRecord<>(
              wire.topics().requestEvents().name(),
              event.id().getBytes(StandardCharsets.UTF_8),
              wire.encode(event)));
    }
    flush();
  }

  /** Writes reports of a fleet, with at least {@code updates} cell updates in all. */
  void reports(ReportingFleet fleet, int updates) {
    reports(
        outlet -> {
          fleet.begin();
          while (fleet.updates() < updates) {
            fleet.round(outlet);
          }
          fleet.settle(outlet);
        });
  }

  /** Reports of others. */
  void reports(Consumer<ReportingFleet.Outlet> from) {
    from.accept(
        (partition, report) ->
            send(new ProducerRecord<>(wire.topics().usage().name(), partition, null, report)));
    flush();
  }

  private static long timeMicros(long start, int event) {
    return start + event * MICROS_PER_SECOND / EVENTS_PER_SECOND;
  }

  private static long nowMicros() {
    return Instant.now().toEpochMilli() * 1_000;
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    producer.send(
        record,
        (sent, failed) -> {
          if (failed != null) {
            failure.compareAndSet(null, failed);
          }
        });
  }

  private void flush() {
    producer.flush();
    Exception failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("the broker did not take the input", failed);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
