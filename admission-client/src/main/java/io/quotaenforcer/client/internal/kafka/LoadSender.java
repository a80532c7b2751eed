package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.core.message.LoadReport;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what a service's load is, by the producer of usage reports. Used by one thread. What cannot
 * be sent is dropped: a second later there is more to say.
 */
final class LoadSender {
  private static final Logger log = LoggerFactory.getLogger(LoadSender.class);

  /** A send may stand still for a second, during which no usage is reported. */
  private static final long PAUSE_AFTER_FAILURE_NANOS = 60_000_000_000L;

  private final Instance instance;
  private final KafkaLink link;
  private final LoadSource source;
  private volatile boolean failing;
  private long restsUntilNanos;
  private boolean rests;

  LoadSender(Instance instance, KafkaLink link, LoadSource source) {
    this.instance = instance;
    this.link = link;
    this.source = source;
  }

  /** What is to be said now; empty while the last attempt has failed just now. */
  Optional<LoadReport> due() {
    long now = instance.now();
    Optional<LoadReport> due = source.due(now);
    if (rests && now - restsUntilNanos < 0) {
      return Optional.empty();
    }
    rests = false;
    return due;
  }

  Optional<LoadReport> leaving() {
    return rests ? Optional.empty() : source.leaving();
  }

  void send(LoadReport report, Producer<byte[], byte[]> producer) {
    try {
      PromptSend.send(
          producer,
          new ProducerRecord<>(
              link.wire().topics().load().name(),
              report.instance().getBytes(StandardCharsets.UTF_8),
              link.wire().encode(report)),
          (sent, failure) -> outcome(failure));
    } catch (RuntimeException e) {
      rests = true;
      restsUntilNanos = instance.now() + PAUSE_AFTER_FAILURE_NANOS;
      outcome(e);
    }
  }

  private void outcome(@Nullable Exception failure) {
    if (failure == null) {
      failing = false;
      return;
    }
    instance.telemetry().failed("send load", failure);
    if (!failing && !link.presence().isAway()) {
      failing = true;
      log.warn(
          "cannot say what the load is; limits that follow it are held, and then go by their"
              + " without-signal: {}",
          failure.toString());
    }
  }
}
