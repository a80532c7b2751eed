package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.QuotaUsage;
import java.util.List;

/**
 * What is to be reported to one partition now.
 *
 * @param partition partition of the usage topic
 * @param loopNanos time from one grant to the next as measured on this partition; 0 when not known
 */
public record PartitionReport(int partition, long loopNanos, List<QuotaUsage> quotas) {
  public PartitionReport {
    quotas = List.copyOf(quotas);
  }
}
