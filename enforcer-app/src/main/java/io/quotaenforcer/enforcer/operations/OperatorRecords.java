package io.quotaenforcer.enforcer.operations;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.enforcer.query.DeferredScope;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The records by which operators change something, for the topics of one prefix. */
public record OperatorRecords(Wire wire) {
  /** Records for all partitions that the scope may be in. */
  public List<ProducerRecord<byte[], byte[]>> to(DeferredScope scope, DeferralInput input) {
    return scope
        .partitions(partitions())
        .mapToObj(partition -> to(partition, scope.text(), input))
        .toList();
  }

  /** Record for the queue of a quota key. */
  public ProducerRecord<byte[], byte[]> to(QuotaKey key, DeferralInput input) {
    return to(key.partition(partitions()), key.toString(), input);
  }

  /** Record that ends the penalty of a quota key. */
  public ProducerRecord<byte[], byte[]> toLift(QuotaKey key) {
    QuotaUsage named = new QuotaUsage(key, 0, 0, 0, List.of());
    return new ProducerRecord<>(
        topics().usageEvents().name(),
        key.partition(partitions()),
        bytes(HolderId.Reserved.OPERATOR.text()),
        wire.encode(new UsageReport(HolderId.Reserved.OPERATOR, 0, 0, 0, -1, List.of(named))));
  }

  /** Record for the audit topic. */
  ProducerRecord<byte[], byte[]> of(AuditRecord audit) {
    return new ProducerRecord<>(
        topics().audit().name(), 0, bytes(audit.what().action()), wire.encode(audit));
  }

  private ProducerRecord<byte[], byte[]> to(int partition, String key, DeferralInput input) {
    return new ProducerRecord<>(
        topics().deferred().name(), partition, bytes(key), wire.encode(input));
  }

  private Topics topics() {
    return wire.topics();
  }

  private int partitions() {
    return topics().deferred().partitions();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
