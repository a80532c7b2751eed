package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import java.util.List;

/** Contents of a report, whoever sent it. */
record Reported(long sentNanos, long loopNanos, List<QuotaUsage> quotas) {

  UsageReport from(int instance, int epoch) {
    return new UsageReport(name(instance), epoch, sentNanos, loopNanos, 0, quotas);
  }

  /** The same of other quota keys. */
  Reported withQuotas(List<QuotaUsage> newQuotas) {
    return new Reported(sentNanos, loopNanos, newQuotas);
  }

  static String name(int instance) {
    return String.valueOf((char) ('A' + instance));
  }
}
