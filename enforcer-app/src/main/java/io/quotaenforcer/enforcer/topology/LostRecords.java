package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports records that the brokers deleted before an enforcer had read them. */
final class LostRecords {
  private static final Logger log = LoggerFactory.getLogger(LostRecords.class);

  private final EnforcerMetrics metrics;

  LostRecords(EnforcerMetrics metrics) {
    this.metrics = metrics;
  }

  /**
   * @param offsets of the intended next records, which are gone
   */
  void before(Map<TopicPartition, Long> offsets) {
    offsets.forEach(
        (partition, offset) -> {
          log.error(
              "Records of {} were deleted before they were read, from offset {} on: what they"
                  + " told is not counted, and a queue may have lost requests. Nobody read the"
                  + " partition for longer than its topic is kept (retention.ms)",
              partition,
              offset);
          metrics.recordsLost(partition.topic());
        });
  }
}
