package io.quotaenforcer.bench.deferral;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A service that defers requests, and says what became of their replays. Thread-safe. */
final class Deferrer implements AutoCloseable {
  private static final ReplyTo HERE = new ReplyTo("bench", 1, 0);

  private final Wire wire;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Payload payload;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  Deferrer(Wire wire, String bootstrapServers) {
    this.wire = wire;
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "acks",
            "all",
            "linger.ms",
            5,
            "batch.size",
            128 << 10);
    this.producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    byte[] bytes = new byte[DeferralScale.PAYLOAD_BYTES];
    new Random(1).nextBytes(bytes);
    this.payload = Payload.of(bytes);
  }

  /** Defers so many requests, of each quota key in turn. */
  void defer(RuleId rule, int requests, int keys) {
    for (int i = 0; i < requests; i++) {
      String user = "user-" + i % keys;
      defer(rule.id() + "-" + i, QuotaKey.of(rule, List.of(user)), user);
    }
  }

  /** Defers requests of a rule without key attributes. */
  void defer(RuleId rule, int requests) {
    for (int i = 0; i < requests; i++) {
      defer(rule.id() + "-" + i, QuotaKey.of(rule, List.of()), "anybody");
    }
  }

  /** Defers one request; the quota key must be that of the user. */
  void defer(String id, QuotaKey key, String user) {
    send(
        key,
        new DeferredRequest(
            id,
            key,
            Request.of("api", key.rule().id(), "user", user),
            payload,
            Map.of(),
            Priority.NORMAL,
            0,
            System.currentTimeMillis(),
            HERE));
  }

  /** A replay was run. */
  void done(String id, QuotaKey key) {
    send(key, new DeferralInput.ReplayResult(id, key, true, "", 1, 0));
  }

  /** Returns when the broker has everything. */
  void flush() {
    producer.flush();
    Exception failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("a record was not written", failed);
    }
  }

  @Override
  public void close() {
    producer.close();
  }

  private void send(QuotaKey key, DeferralInput input) {
    producer.send(
        new ProducerRecord<>(
            wire.topics().deferred().name(),
            key.partition(DeferralScale.PARTITIONS),
            key.toString().getBytes(StandardCharsets.US_ASCII),
            wire.encode(input)),
        (written, failed) -> {
          if (failed != null) {
            failure.compareAndSet(null, failed);
          }
        });
  }
}
