package io.quotaenforcer.core.message;

import java.util.List;

/**
 * What an instance used of the quota keys of one partition.
 *
 * @param instance id of the instance
 * @param epoch 64 random bits, new at each start of the instance
 * @param sentNanos the instance's monotonic clock when this was sent; leases run from it
 * @param loopNanos time from one grant to the next as the instance measured it: report interval and
 *     the time from report to answer; 0 when not known yet
 * @param replyPartition partition of the snapshot topic that the instance reads
 */
public record UsageReport(
    String instance,
    long epoch,
    long sentNanos,
    long loopNanos,
    int replyPartition,
    List<QuotaUsage> quotas) {
  /** How the names of queues of deferred requests start, which spend permits like an instance. */
  public static final String REPLAYS = "#replays-";

  /** Of the id of an instance, which is kept with each quota key that it uses. */
  public static final int MAX_INSTANCE_CHARS = 200;

  public UsageReport {
    quotas = List.copyOf(quotas);
  }

  /** The same report of other quota keys. */
  public UsageReport withQuotas(List<QuotaUsage> newQuotas) {
    return new UsageReport(instance, epoch, sentNanos, loopNanos, replyPartition, newQuotas);
  }
}
