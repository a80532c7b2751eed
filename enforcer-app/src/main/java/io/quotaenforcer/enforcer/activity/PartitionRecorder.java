package io.quotaenforcer.enforcer.activity;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.activity.HeardInstance;
import io.quotaenforcer.core.activity.HeavyHitters.Hitter;
import io.quotaenforcer.core.activity.PartitionActivity;
import io.quotaenforcer.core.activity.Ranking;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.UsageReport;
import java.util.List;

/**
 * The activity of one partition, for its stream thread and for those that read. Readers hold the
 * lock while they copy some hundreds of rows, and no longer.
 */
public final class PartitionRecorder {
  private final PartitionActivity activity;

  PartitionRecorder(long sinceNanos) {
    activity = new PartitionActivity(sinceNanos);
  }

  /** A report came. */
  public synchronized void heard(UsageReport report, long now) {
    activity.heard(report, now);
  }

  /** Permits of a quota key were counted. */
  public synchronized void counted(QuotaKey key, List<WindowCount> counts, long now) {
    activity.counted(key, counts, now);
  }

  synchronized List<Hitter<QuotaKey>> top(Ranking by, int most, long now) {
    return activity.top(by, most, now);
  }

  synchronized PartitionActivity.Rates rates(long now) {
    return activity.rates(now);
  }

  synchronized List<HeardInstance> instances(long now) {
    return activity.instances(now);
  }
}
