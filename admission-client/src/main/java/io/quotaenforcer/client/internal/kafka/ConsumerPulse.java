package io.quotaenforcer.client.internal.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

/**
 * Whether a consumer hears from any broker: its fetches are answered twice a second also when there
 * is nothing to read.
 */
final class ConsumerPulse {
  private static final long GRACE_NANOS = 1_500_000_000L;

  private final @Nullable Metric connections;
  private final @Nullable Metric received;
  private final long silenceNanos;
  private double lastReceived;
  private long heardNanos = System.nanoTime();

  /**
   * @param fetchWait after which a broker answers that there is nothing to read
   */
  ConsumerPulse(Consumer<?, ?> consumer, Duration fetchWait) {
    Map<MetricName, ? extends Metric> metrics = consumer.metrics();
    connections = find(metrics, "connection-count");
    received = find(metrics, "incoming-byte-total");
    silenceNanos = fetchWait.toNanos() + GRACE_NANOS;
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
