package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.client.internal.Failures;
import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.core.allotment.InstanceBook;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.LoadReport;
import io.quotaenforcer.core.message.UsageReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends usage reports, and what a service says of its load. Used by one thread. A report that
 * cannot be sent is dropped: the next one says all that it said.
 */
final class Reporter {
  private static final Logger log = LoggerFactory.getLogger(Reporter.class);

  private static final long RETRY_PRODUCER_NANOS = 1_000_000_000L;

  private final Instance instance;
  private final KafkaLink link;
  private final InstanceBook book;
  private final LoadSender load;
  private @Nullable Producer<byte[], byte[]> producer;
  private long producerTriedNanos;
  private boolean failing;
  private volatile boolean closing;

  Reporter(Instance instance, KafkaLink link, InstanceBook book) {
    this(instance, link, book, LoadSource.NONE);
  }

  Reporter(Instance instance, KafkaLink link, InstanceBook book, LoadSource load) {
    this.load = new LoadSender(instance, link, load);
    this.instance = instance;
    this.link = link;
    this.book = book;
    this.producerTriedNanos = System.nanoTime() - RETRY_PRODUCER_NANOS;
  }

  /** Makes ready, so that the first report need not wait for it. */
  void open() {
    if (!link.presence().look()) {
      producer();
    }
  }

  void reportDue() {
    send(book.reports(instance.now()));
  }

  /** Gives everything back, or says again what is not confirmed yet. */
  void reportClosing() {
    send(book.close(instance.now()));
  }

  /** Says what the load is, if it is time. */
  void sayLoad() {
    load.due().ifPresent(this::say);
  }

  /** Says that nobody is to wait for what this instance says of its load. */
  void sayLeaving() {
    load.leaving().ifPresent(this::say);
  }

  private void say(LoadReport report) {
    Producer<byte[], byte[]> open = link.presence().isAway() ? null : producer();
    if (open != null) {
      load.send(report, open);
    }
  }

  /**
   * All are encoded first: records that are handed over at once leave in one request. When one has
   * waited in vain for Kafka to say where its partition is, the others would as well.
   */
  private void send(List<PartitionReport> reports) {
    if (link.presence().isAway()) {
      close(Duration.ZERO);
      return;
    }
    Producer<byte[], byte[]> open = reports.isEmpty() ? null : producer();
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

  /** Encodes a report; to run the result sends it. */
  private Runnable encoded(PartitionReport report, Producer<byte[], byte[]> open) {
    byte[] value =
        link.wire()
            .encode(
                new UsageReport(
                    instance.identity().instance(),
                    instance.identity().epoch(),
                    instance.now(),
                    report.loopNanos(),
                    instance.identity().replyPartition(book.partitions()),
                    report.quotas()));
    return () -> {
      PromptSend.send(
          open,
          new ProducerRecord<>(
              link.wire().topics().usage().name(), report.partition(), null, value),
          (sent, failure) -> outcome(failure));
      instance.telemetry().reported(report.partition(), report.quotas().size(), value.length);
    };
  }

  /** False if it took the time that a producer may wait. */
  private boolean attempt(Runnable step) {
    try {
      step.run();
      return true;
    } catch (RuntimeException | Error e) {
      outcome(Failures.asException(e));
      return !(e instanceof TimeoutException) && !(e instanceof InterruptException);
    }
  }

  /** Null while there is none: its bootstrap servers may not even have an address yet. */
  private @Nullable Producer<byte[], byte[]> producer() {
    if (producer == null && System.nanoTime() - producerTriedNanos >= RETRY_PRODUCER_NANOS) {
      producerTriedNanos = System.nanoTime();
      try {
        producer = link.producers().get();
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
    instance.telemetry().failed("send usage report", failure);
    // That Kafka is away is said once.
    if (!failing && !link.presence().isAway()) {
      failing = true;
      log.warn(
          "cannot send usage reports; rules decide by on-unavailable until it works again: {}",
          failure.toString());
    }
  }

  /** Waits, at most so long, until what was reported is sent. */
  void close(Duration timeout) {
    Producer<byte[], byte[]> open = producer;
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
