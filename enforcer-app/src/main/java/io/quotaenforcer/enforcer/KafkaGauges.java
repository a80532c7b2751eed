package io.quotaenforcer.enforcer;

import io.quotaenforcer.enforcer.metrics.KafkaMetrics;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that takes a few metrics over from Kafka Streams. */
final class KafkaGauges implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KafkaGauges.class);
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final Supplier<Map<MetricName, ? extends Metric>> source;
  private final KafkaMetrics shown;
  private final Set<String> topics;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "quota-gauges");

  private KafkaGauges(
      Supplier<Map<MetricName, ? extends Metric>> source, KafkaMetrics shown, Set<String> topics) {
    this.source = source;
    this.shown = shown;
    this.topics = topics;
    thread.setDaemon(true);
  }

  /**
   * Begins.
   *
   * @param topics whose lag is shown
   */
  static KafkaGauges start(
      Supplier<Map<MetricName, ? extends Metric>> source, KafkaMetrics shown, Set<String> topics) {
    KafkaGauges gauges = new KafkaGauges(source, shown, topics);
    gauges.thread.start();
    return gauges;
  }

  private void run() {
    try {
      do {
        refresh();
      } while (!stopping.await(EVERY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refresh() {
    try {
      shown.refresh(source.get().values(), topics);
    } catch (RuntimeException e) {
      // A metric of a thread that is being replaced; the next look finds others.
      log.debug("cannot read Kafka's metrics", e);
    }
  }

  @Override
  public void close() {
    stopping.countDown();
  }
}
