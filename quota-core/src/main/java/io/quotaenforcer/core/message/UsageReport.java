package io.quotaenforcer.core.message;

import java.util.ArrayList;
import java.util.List;

/**
 * An instance's use of the quota keys of one partition.
 *
 * @param holder the sender
 * @param epoch 64 random bits, new at each start of the instance
 * @param sentNanos the instance's monotonic clock when this was sent; leases run from it
 * @param loopNanos time from one grant to the next as the instance measured it: report interval and
 *     the time from report to answer; 0 if not known yet
 * @param replyPartition partition of the snapshot topic that the instance reads
 */
public record UsageReport(
    HolderId holder,
    long epoch,
    long sentNanos,
    long loopNanos,
    int replyPartition,
    List<QuotaUsage> quotas) {
  /**
   * Bytes of a record; leaves room for the answer, which is larger and must fit into one record.
   */
  private static final int MOST_BYTES = 400_000;

  /** Most bytes of a cell, and of a quota key's entry besides its text and cells. */
  private static final int BYTES_OF_A_CELL = 100;

  private static final int BYTES_OF_A_CLASS = 30;

  public UsageReport {
    quotas = List.copyOf(quotas);
  }

  /** The report of a holder given by its text. */
  public UsageReport(
      String holder,
      long epoch,
      long sentNanos,
      long loopNanos,
      int replyPartition,
      List<QuotaUsage> quotas) {
    this(HolderId.of(holder), epoch, sentNanos, loopNanos, replyPartition, quotas);
  }

  /** The sender's id. */
  public String instance() {
    return holder.text();
  }

  /** The same report of other quota keys. */
  public UsageReport withQuotas(List<QuotaUsage> newQuotas) {
    return new UsageReport(holder, epoch, sentNanos, loopNanos, replyPartition, newQuotas);
  }

  /**
   * Splits usages such that each part makes a record far below a broker's usual limit of 1 MiB,
   * however long the quota keys are.
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
    long entries = 1L + usage.cells().size();
    return usage.quotaKey().toString().length()
        + entries * BYTES_OF_A_CELL
        + (long) usage.classes().size() * BYTES_OF_A_CLASS;
  }
}
