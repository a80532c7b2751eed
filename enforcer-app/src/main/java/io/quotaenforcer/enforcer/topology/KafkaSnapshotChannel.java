package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Snapshots through a producer of their own, for all stream threads of the process. */
public final class KafkaSnapshotChannel implements SnapshotChannel, AutoCloseable {
  /** A stream thread must not wait: a snapshot that cannot be buffered at once is dropped. */
  private static final int MAX_BLOCK_MILLIS = 50;

  private static final int REQUEST_TIMEOUT_MILLIS = 2_000;

  private static final int LINGER_MILLIS = 0;

  /** Answers that come while a request is under way leave together in the next. */
  private static final int MOST_UNDER_WAY = 1;

  private static final int BATCH_BYTES = 64 << 10;

  private final String topic;
  private final EnforcerMetrics metrics;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AnswerDelivery delivery = new AnswerDelivery();

  /**
   * Opens the producer.
   *
   * @param topic of the snapshots
   * @param connection properties of every producer of this process
   */
  public KafkaSnapshotChannel(
      String topic, Map<String, Object> connection, EnforcerMetrics metrics) {
    this.topic = topic;
    this.metrics = metrics;
    Map<String, Object> properties = new HashMap<>(connection);
    // An answer later than this has an expired lease: a new one is better.
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
    properties.put(
        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS + LINGER_MILLIS);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
    properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, MOST_UNDER_WAY);
    properties.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    properties.put(ProducerConfig.ACKS_CONFIG, "1");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
    this.producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Does the waiting that the first snapshots would otherwise have to do, each of which holds its
   * stream thread up in vain.
   */
  public void warmUp(Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    do {
      try {
        producer.partitionsFor(topic);
        return;
      } catch (TimeoutException e) {
        // Longer than a stream thread may wait.
      }
    } while (System.nanoTime() - deadline < 0);
  }

  @Override
  public long commits() {
    return ThreadCommits.current().count();
  }

  @Override
  public long transactionNanos() {
    return ThreadCommits.current().transactionNanos();
  }

  @Override
  public boolean isCommitDue() {
    return ThreadCommits.current().isNextDue(System.nanoTime());
  }

  @Override
  public void send(int partition, byte[] key, byte[] value) {
    try {
      producer.send(
          new ProducerRecord<>(topic, partition, key, value), (sent, failure) -> outcome(failure));
    } catch (RuntimeException e) {
      outcome(e);
    }
  }

  private void outcome(@Nullable Exception failure) {
    if (failure == null) {
      delivery.sent();
    } else {
      metrics.snapshotLost();
      delivery.failed(failure, System.nanoTime());
    }
  }

  /** Why no answer goes out; empty if answers do, or none was due. */
  public Optional<String> trouble() {
    return delivery.trouble(System.nanoTime());
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
