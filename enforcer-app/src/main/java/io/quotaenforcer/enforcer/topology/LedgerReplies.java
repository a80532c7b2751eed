package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * The ways out of a partition's ledger: answers to reports, news of a quota key for all instances,
 * and records that cannot be processed.
 */
final class LedgerReplies {
  private final ProcessorContext<byte[], Object> context;
  private final Wire wire;
  private final TopologySettings settings;
  private final EnforcerMetrics metrics;
  private final SnapshotChannel channel;
  private final HandOver handOver;

  LedgerReplies(
      ProcessorContext<byte[], Object> context,
      Wire wire,
      TopologySettings settings,
      EnforcerMetrics metrics,
      SnapshotChannel channel,
      HandOver handOver) {
    this.context = context;
    this.wire = wire;
    this.settings = settings;
    this.metrics = metrics;
    this.channel = channel;
    this.handOver = handOver;
  }

  /** Tells all instances, with the transaction. */
  void announce(QuotaKey key, ExhaustedQuota news) {
    context.forward(
        new Record<byte[], Object>(
            key.toString().getBytes(StandardCharsets.UTF_8),
            wire.encode(news),
            context.currentSystemTimeMs()),
        EnforcerTopology.EXHAUSTED_SINK);
  }

  /** Answers the instance that reported, at once. */
  void answer(UsageReport report, List<QuotaAnswer> answers, long now) {
    int partition = context.taskId().partition();
    QuotaSnapshot snapshot =
        new QuotaSnapshot(
            report.instance(), report.epoch(), partition, report.sentNanos(), now, answers);
    channel.send(
        Math.floorMod(report.replyPartition(), settings.partitions()),
        Identity.snapshotKey(report.instance(), report.epoch()),
        wire.encode(snapshot));
    for (QuotaAnswer answer : answers) {
      if (!answer.cells().isEmpty()) {
        handOver.taken().granted();
      }
    }
  }

  /** Makes a dead letter of the record that is being processed. */
  void putAside(Record<byte[], byte[]> record, String reason, Exception cause) {
    RecordMetadata origin = context.recordMetadata().orElseThrow();
    Topics topics = wire.topics();
    boolean isOfLimits =
        Set.of(topics.entitlements().name(), topics.limitsInForce().name())
            .contains(origin.topic());
    metrics.deadLettered(isOfLimits ? origin.topic() : topics.usage().name());
    context.forward(
        DeadLetter.of(record, origin, reason, cause, context.currentSystemTimeMs()),
        EnforcerTopology.REPORT_DEAD_LETTERS);
  }
}
