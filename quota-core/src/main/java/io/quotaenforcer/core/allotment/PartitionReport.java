package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.QuotaUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to be reported to one partition now.
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
   * In parts that are sent on their own, of so few quota keys that each record stays far below a
   * broker's usual limit of 1 MiB, and that the enforcer can commit between two of them.
   */
  public List<PartitionReport> parts() {
    List<PartitionReport> parts = new ArrayList<>();
    for (int from = 0; from < quotas.size(); from += MOST_QUOTAS) {
      int to = Math.min(quotas.size(), from + MOST_QUOTAS);
      parts.add(new PartitionReport(partition, loopNanos, quotas.subList(from, to)));
    }
    return parts;
  }
}
