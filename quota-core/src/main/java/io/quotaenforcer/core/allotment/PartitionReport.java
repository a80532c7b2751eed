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

  /** Of a record, so that the answer, which says more, fits into one, too. */
  private static final int MOST_BYTES = 400_000;

  /** What a cell takes, and what is said of a quota key beside its text and cells, at the most. */
  private static final int BYTES_OF_A_CELL = 100;

  public PartitionReport {
    quotas = List.copyOf(quotas);
  }

  /**
   * In parts that are sent on their own, each of so few quota keys that the enforcer can commit
   * between two of them.
   */
  public List<PartitionReport> parts() {
    return split(quotas, MOST_QUOTAS).stream()
        .map(part -> new PartitionReport(partition, loopNanos, part))
        .toList();
  }

  /**
   * Splits what is to be reported such that each part makes a record far below a broker's usual
   * limit of 1 MiB, however long the quota keys are.
   *
   * @param mostQuotas of a part
   */
  public static List<List<QuotaUsage>> split(List<QuotaUsage> quotas, int mostQuotas) {
    List<List<QuotaUsage>> parts = new ArrayList<>(1);
    int from = 0;
    long bytes = 0;
    for (int to = 0; to < quotas.size(); to++) {
      long more = bytes(quotas.get(to));
      if (to > from && (to - from == mostQuotas || bytes + more > MOST_BYTES)) {
        parts.add(quotas.subList(from, to));
        from = to;
        bytes = 0;
      }
      bytes += more;
    }
    if (from < quotas.size()) {
      parts.add(quotas.subList(from, quotas.size()));
    }
    return parts;
  }

  /** Texts of quota keys are ASCII. */
  private static long bytes(QuotaUsage usage) {
    return usage.quotaKey().toString().length() + (1L + usage.cells().size()) * BYTES_OF_A_CELL;
  }
}
