package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import java.util.List;

/**
 * The report that is due to one partition now.
 *
 * @param partition partition of the usage topic
 * @param loopNanos time from one grant to the next as measured on this partition; 0 when not known
 */
public record PartitionReport(int partition, long loopNanos, List<QuotaUsage> quotas) {
  private static final int MOST_QUOTAS = 500;

  public PartitionReport {
    quotas = List.copyOf(quotas);
  }

  /**
   * In parts that are sent on their own, each of so few quota keys that the enforcer can commit
   * between two of them.
   */
  public List<PartitionReport> parts() {
    return UsageReport.split(quotas, MOST_QUOTAS).stream()
        .map(part -> new PartitionReport(partition, loopNanos, part))
        .toList();
  }
}
