package io.quotaenforcer.core.message;

import java.util.List;

/**
 * The enforcer's answer to one usage report, even if there is nothing new to say.
 *
 * @param usagePartition partition that the report was read from
 * @param echoSentNanos {@code sentNanos} of the report
 * @param enforcerNanos enforcer time at which the report was handled
 */
public record QuotaSnapshot(
    String instance,
    long epoch,
    int usagePartition,
    long echoSentNanos,
    long enforcerNanos,
    List<QuotaAnswer> quotas) {
  public QuotaSnapshot {
    quotas = List.copyOf(quotas);
  }
}
