package io.quotaenforcer.client.kafka;

import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

/**
 * Whether a consumer hears from any broker: its fetches are answered twice a second also when there
 * is nothing to read.
 */
final class ConsumerPulse {
  private static final long GRACE_NANOS = 1_500_000_000L;
  private static final long FETCH_MILLIS = 500;

  private final @Nullable Metric connections;
  private final @Nullable Metric received;
  private final long silenceNanos;
  private double lastReceived;
  private long heardNanos = System.nanoTime();

  /**
   * @param properties of the consumer
   */
  ConsumerPulse(Consumer<?, ?> consumer, Map<String, ?> properties) {
    Map<MetricName, ? extends Metric> metrics = consumer.metrics();
    connections = find(metrics, "connection-count");
    received = find(metrics, "incoming-byte-total");
    Object wait = properties.get(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG);
    long fetchMillis = wait == null ? FETCH_MILLIS : Long.parseLong(String.valueOf(wait));
    silenceNanos = fetchMillis * 1_000_000L + GRACE_NANOS;
  }

  /** Whether there is reason to believe that no broker is there. */
  boolean isSilent() {
    double bytes = value(received);
    long now = System.nanoTime();
    if (bytes != lastReceived) {
      lastReceived = bytes;
      heardNanos = now;
    }
    return value(connections) == 0 || now - heardNanos > silenceNanos;
  }

  /** Counts from now on. */
  void heard() {
    heardNanos = System.nanoTime();
  }

  /** Whether nothing has come for so long. */
  boolean isSilentFor(long nanos) {
    return System.nanoTime() - heardNanos > nanos;
  }

  /** Whether anything has ever come. */
  boolean hasHeard() {
    return lastReceived > 0;
  }

  private static double value(@Nullable Metric metric) {
    return metric != null && metric.metricValue() instanceof Number number
        ? number.doubleValue()
        : Double.NaN;
  }

  private static @Nullable Metric find(Map<MetricName, ? extends Metric> metrics, String name) {
    return metrics.entrySet().stream()
        .filter(each -> each.getKey().name().equals(name))
        .filter(each -> each.getKey().group().equals("consumer-metrics"))
        .map(each -> (Metric) each.getValue())
        .findFirst()
        .orElse(null);
  }
}
