package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.schemas.CellUsage;
import io.quotaenforcer.schemas.QuotaUsage;
import io.quotaenforcer.schemas.UsageReport;
import java.util.List;

/** Usage reports, to and from the wire. */
public final class UsageReportMapping {
  private UsageReportMapping() {}

  public static UsageReport toRecord(io.quotaenforcer.core.message.UsageReport report) {
    return new UsageReport(
        report.instance(),
        report.epoch(),
        report.sentNanos(),
        report.loopNanos(),
        report.replyPartition(),
        report.quotas().stream().map(UsageReportMapping::toRecord).toList());
  }

  /** Throws IllegalArgumentException when a field cannot be right. */
  public static io.quotaenforcer.core.message.UsageReport fromRecord(UsageReport report) {
    return new io.quotaenforcer.core.message.UsageReport(
        report.getInstance(),
        report.getEpoch(),
        report.getSentNanos(),
        report.getLoopNanos(),
        report.getReplyPartition(),
        report.getQuotas().stream().map(UsageReportMapping::fromRecord).toList());
  }

  private static QuotaUsage toRecord(io.quotaenforcer.core.message.QuotaUsage usage) {
    List<CellUsage> cells =
        usage.cells().stream()
            .map(
                cell ->
                    new CellUsage(
                        cell.id(),
                        cell.windowStartNanos(),
                        cell.granted(),
                        cell.taken(),
                        cell.putBack(),
                        cell.givenBack(),
                        cell.throttled(),
                        cell.closed(),
                        cell.usedEarlier(),
                        cell.earlierNanos(),
                        cell.shareNumber()))
            .toList();
    return new QuotaUsage(
        usage.quotaKey().toString(),
        usage.generation(),
        usage.demandPerSecond(),
        usage.needed(),
        cells);
  }

  private static io.quotaenforcer.core.message.QuotaUsage fromRecord(QuotaUsage usage) {
    return new io.quotaenforcer.core.message.QuotaUsage(
        QuotaKey.parse(usage.getQuotaKey()),
        usage.getGeneration(),
        usage.getDemandPerSecond(),
        usage.getNeeded(),
        usage.getCells().stream()
            .map(
                cell ->
                    new io.quotaenforcer.core.message.CellUsage(
                        cell.getId(),
                        cell.getWindowStartNanos(),
                        cell.getGranted(),
                        cell.getTaken(),
                        cell.getPutBack(),
                        cell.getGivenBack(),
                        cell.getThrottled(),
                        cell.getClosed(),
                        cell.getUsedEarlier(),
                        cell.getEarlierNanos(),
                        cell.getShareNumber()))
            .toList());
  }
}
