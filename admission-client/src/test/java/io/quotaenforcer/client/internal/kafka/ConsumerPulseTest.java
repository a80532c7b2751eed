package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;

class ConsumerPulseTest {
  private final Map<MetricName, Metric> metrics = new HashMap<>();
  private volatile double connections = 1;
  private volatile double received;
  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>("earliest") {
        @Override
        public synchronized Map<MetricName, ? extends Metric> metrics() {
          return metrics;
        }
      };

  private void hasMetrics(String group) {
    metric("connection-count", group, () -> connections);
    metric("incoming-byte-total", group, () -> received);
  }

  private void metric(String name, String group, Supplier<Object> value) {
    MetricName metricName = new MetricName(name, group, "", Map.of());
    metrics.put(
        metricName,
        new Metric() {
          @Override
          public MetricName metricName() {
            return metricName;
          }

          @Override
          public Object metricValue() {
            return value.get();
          }
        });
  }

  private ConsumerPulse pulse(Duration fetchWait) {
    return new ConsumerPulse(consumer, fetchWait);
  }

  @Test
  void consumer_withoutConnection_isSilentAtOnce() {
    hasMetrics("consumer-metrics");
    ConsumerPulse pulse = pulse(Duration.ofHours(1));
    assertThat(pulse.isSilent()).isFalse();

    connections = 0;

    assertThat(pulse.isSilent()).isTrue();
  }

  @Test
  void consumer_thatHearsNothing_isSilentAfterAFetchAndAWhile() {
    hasMetrics("consumer-metrics");
    ConsumerPulse pulse = pulse(Duration.ZERO);
    received = 10;
    assertThat(pulse.isSilent()).isFalse();
    assertThat(pulse.hasHeard()).isTrue();

    await().atMost(Duration.ofSeconds(20)).until(pulse::isSilent);

    received = 20;
    assertThat(pulse.isSilent()).isFalse();
  }

  @Test
  void consumer_thatWaitsLongForRecords_isNotSilentMeanwhile() {
    hasMetrics("consumer-metrics");
    ConsumerPulse pulse = pulse(Duration.ofHours(1));
    received = 10;
    assertThat(pulse.isSilent()).isFalse();

    await().during(Duration.ofMillis(50)).until(() -> !pulse.isSilent());
    assertThat(pulse.isSilentFor(0)).isTrue();
    assertThat(pulse.isSilentFor(Duration.ofHours(1).toNanos())).isFalse();
  }

  @Test
  void heard_countsAnew() {
    hasMetrics("consumer-metrics");
    ConsumerPulse pulse = pulse(Duration.ZERO);
    await().atMost(Duration.ofSeconds(20)).until(pulse::isSilent);

    pulse.heard();

    assertThat(pulse.isSilent()).isFalse();
    assertThat(pulse.hasHeard()).as("nothing has come so far").isFalse();
  }

  @Test
  void metrics_ofNodesAndOtherGroups_areNotThoseOfTheConsumer() {
    hasMetrics("consumer-node-metrics");
    connections = 0;

    assertThat(pulse(Duration.ZERO).isSilent()).as("nothing is known").isFalse();
  }
}
