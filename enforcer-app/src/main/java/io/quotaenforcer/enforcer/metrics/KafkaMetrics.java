package io.quotaenforcer.enforcer.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A few of the hundreds of metrics that Kafka's clients and Kafka Streams keep, without the names
 * of threads and clients, which change at each start.
 */
public final class KafkaMetrics {
  static final Metric LAG =
      Metric.gauge(
              "quota.records.lag",
              "records",
              List.of("partition", "topic"),
              "Records of a partition that this enforcer has not read yet; as its consumers saw"
                  + " them last, at most 5 s ago.")
          .alertWhen("more than 20000 for 5 minutes");

  static final Metric ROWS =
      Metric.gauge(
          "quota.store.rows",
          "rows",
          List.of("store"),
          "Rows of a kind of store, in all partitions and copies here, as RocksDB estimates them.");

  static final Metric BYTES =
      Metric.gauge(
          "quota.store.size",
          "bytes",
          List.of("store"),
          "Files of a kind of store, in all partitions and copies here.");

  static final Metric REBALANCES =
      Metric.gauge(
          "quota.rebalances.hourly",
          "rebalances",
          List.of(),
          "Times in an hour, by the rate of late, that partitions were shared out anew, as seen by"
              + " the consumer of this enforcer that saw most. Many mean enforcers that come and"
              + " go.");

  static final List<Metric> ALL = List.of(LAG, ROWS, BYTES, REBALANCES);

  /** Consumers that restore stores, or read all partitions, have none of these endings. */
  private static final String MAIN_CONSUMER = "-consumer";

  private static final String RESTORING = "-restore-consumer";

  private final MultiGauge lag;
  private final MultiGauge rows;
  private final MultiGauge bytes;
  private final MultiGauge rebalances;

  KafkaMetrics(MeterRegistry registry) {
    lag = LAG.gaugesIn(registry);
    rows = ROWS.gaugesIn(registry);
    bytes = BYTES.gaugesIn(registry);
    rebalances = REBALANCES.gaugesIn(registry);
  }

  /**
   * Takes what is shown from Kafka's own metrics.
   *
   * @param topics whose lag is shown; Kafka has some names a second time, with underscores for dots
   */
  public void refresh(
      Collection<? extends org.apache.kafka.common.Metric> metrics, Set<String> topics) {
    Map<String, MultiGauge.Row<?>> lags = new TreeMap<>();
    Map<String, Double> rowsByStore = new TreeMap<>();
    Map<String, Double> bytesByStore = new TreeMap<>();
    double mostRebalances = 0;
    for (org.apache.kafka.common.Metric each : metrics) {
      Map<String, String> tags = each.metricName().tags();
      switch (each.metricName().name()) {
        case "records-lag" ->
            number(each)
                .filter(value -> isMain(tags) && topics.contains(tags.get("topic")))
                .ifPresent(value -> addLag(lags, tags, value));
        case "estimate-num-keys" -> add(rowsByStore, tags, each);
        case "total-sst-files-size" -> add(bytesByStore, tags, each);
        case "rebalance-rate-per-hour" ->
            mostRebalances = Math.max(mostRebalances, number(each).orElse(0.0));
        default -> {
          // One of the hundreds.
        }
      }
    }
    lag.register(new ArrayList<>(lags.values()), true);
    rows.register(rows(ROWS, rowsByStore), true);
    bytes.register(rows(BYTES, bytesByStore), true);
    List<MultiGauge.Row<?>> one = List.of(REBALANCES.row(mostRebalances));
    rebalances.register(one, true);
  }

  private static boolean isMain(Map<String, String> tags) {
    String client = tags.getOrDefault("client-id", "");
    return tags.containsKey("partition")
        && client.endsWith(MAIN_CONSUMER)
        && !client.endsWith(RESTORING);
  }

  private static void addLag(
      Map<String, MultiGauge.Row<?>> lags, Map<String, String> tags, double value) {
    String topic = tags.getOrDefault("topic", "");
    String partition = tags.getOrDefault("partition", "");
    lags.put(topic + "-" + partition, LAG.row(value, partition, topic));
  }

  private static void add(
      Map<String, Double> sums, Map<String, String> tags, org.apache.kafka.common.Metric metric) {
    Optional<String> store =
        tags.entrySet().stream()
            .filter(tag -> tag.getKey().endsWith("-state-id"))
            .map(Map.Entry::getValue)
            .findFirst();
    Optional<Double> value = number(metric);
    if (store.isPresent() && value.isPresent()) {
      sums.merge(store.get(), value.get(), Double::sum);
    }
  }

  private static List<MultiGauge.Row<?>> rows(Metric metric, Map<String, Double> byStore) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    byStore.forEach((store, value) -> rows.add(metric.row(value, store)));
    return rows;
  }

  private static Optional<Double> number(org.apache.kafka.common.Metric metric) {
    return metric.metricValue() instanceof Number number && !Double.isNaN(number.doubleValue())
        ? Optional.of(number.doubleValue())
        : Optional.empty();
  }
}
