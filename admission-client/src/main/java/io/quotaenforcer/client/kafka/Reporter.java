package io.quotaenforcer.client.kafka;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.allotment.InstanceBook;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends usage reports. Used by one thread. A report that cannot be sent is dropped: the next one
 * says all that it said.
 */
final class Reporter {
  private static final Logger log = LoggerFactory.getLogger(Reporter.class);

  private static final long RETRY_PRODUCER_NANOS = 1_000_000_000L;

  private final Identity identity;
  private final InstanceBook book;
  private final Wire wire;
  private final Map<String, Object> properties;
  private final LongSupplier clock;
  private final ClientTelemetry telemetry;
  private final KafkaPresence presence;
  private @Nullable KafkaProducer<byte[], byte[]> producer;
  private long producerTriedNanos;
  private boolean failing;
  private volatile boolean closing;

  Reporter(
      Identity identity,
      InstanceBook book,
      Wire wire,
      Map<String, Object> properties,
      LongSupplier clock,
      ClientTelemetry telemetry,
      KafkaPresence presence) {
    this.identity = identity;
    this.book = book;
    this.wire = wire;
    this.properties = properties;
    this.clock = clock;
    this.telemetry = telemetry;
    this.presence = presence;
    this.producerTriedNanos = System.nanoTime() - RETRY_PRODUCER_NANOS;
  }

  /** Makes ready, so that the first report need not wait for it. */
  void open() {
    if (!presence.look()) {
      producer();
    }
  }

  void reportDue() {
    send(book.reports(clock.getAsLong()));
  }

  /** Gives everything back, or says again what is not confirmed yet. */
  void reportClosing() {
    send(book.close(clock.getAsLong()));
  }

  /**
   * All are encoded first: records that are handed over at once leave in one request. When one has
   * waited in vain for Kafka to say where its partition is, the others would as well.
   */
  private void send(List<PartitionReport> reports) {
    if (presence.isAway()) {
      close(Duration.ZERO);
      return;
    }
    KafkaProducer<byte[], byte[]> open = reports.isEmpty() ? null : producer();
    if (open == null) {
      return;
    }
    List<Runnable> sends = new ArrayList<>();
    for (PartitionReport report : reports) {
      for (PartitionReport part : report.parts()) {
        attempt(() -> sends.add(encoded(part, open)));
      }
    }
    for (Runnable each : sends) {
      if (!attempt(each)) {
        return;
      }
    }
  }

  /** What sends it. */
  private Runnable encoded(PartitionReport report, KafkaProducer<byte[], byte[]> open) {
    byte[] value =
        wire.encode(
            new UsageReport(
                identity.instance(),
                identity.epoch(),
                clock.getAsLong(),
                report.loopNanos(),
                identity.replyPartition(book.partitions()),
                report.quotas()));
    return () -> {
      open.send(
          new ProducerRecord<>(wire.topics().usage().name(), report.partition(), null, value),
          (sent, failure) -> outcome(failure));
      telemetry.reported(report.partition(), report.quotas().size(), value.length);
    };
  }

  /** False if it took the time that a producer may wait. */
  private boolean attempt(Runnable step) {
    try {
      step.run();
      return true;
    } catch (RuntimeException e) {
      outcome(e);
      return !(e instanceof TimeoutException) && !(e instanceof InterruptException);
    }
  }

  /** Null while there is none: its bootstrap servers may not even have an address yet. */
  private @Nullable KafkaProducer<byte[], byte[]> producer() {
    if (producer == null && System.nanoTime() - producerTriedNanos >= RETRY_PRODUCER_NANOS) {
      producerTriedNanos = System.nanoTime();
      try {
        producer =
            new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
      } catch (RuntimeException e) {
        outcome(e);
      }
    }
    return producer;
  }

  private void outcome(@Nullable Exception failure) {
    if (failure == null) {
      failing = false;
      return;
    }
    if (closing) {
      return;
    }
    telemetry.failed("send usage report", failure);
    // That Kafka is away is said once.
    if (!failing && !presence.isAway()) {
      failing = true;
      log.warn(
          "cannot send usage reports; rules decide by on-unavailable until it works again: {}",
          failure.toString());
    }
  }

  /** Waits, at most so long, until what was reported is sent. */
  void close(Duration timeout) {
    KafkaProducer<byte[], byte[]> open = producer;
    if (open != null) {
      producer = null;
      closing = true;
      try {
        open.close(timeout);
      } catch (RuntimeException e) {
        log.debug("cannot close a producer", e);
      } finally {
        closing = false;
      }
    }
  }
}
