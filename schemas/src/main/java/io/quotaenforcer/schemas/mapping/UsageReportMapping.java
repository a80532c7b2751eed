package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.CellCounts;
import io.quotaenforcer.core.message.EarlierUse;
import io.quotaenforcer.core.message.NamedShare;
import io.quotaenforcer.core.message.Need;
import io.quotaenforcer.core.message.RequestCost;
import io.quotaenforcer.schemas.CellUsage;
import io.quotaenforcer.schemas.ClassDemand;
import io.quotaenforcer.schemas.QuotaUsage;
import io.quotaenforcer.schemas.UsageReport;
import java.util.ArrayList;
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
        report.instance(),
        report.epoch(),
        report.sentNanos(),
        report.loopNanos(),
        report.replyPartition(),
        quotas(report.quotas()));
  }

  /** Without streams: an enforcer does little else than this. */
  private static List<io.quotaenforcer.core.message.QuotaUsage> quotas(List<QuotaUsage> records) {
    List<io.quotaenforcer.core.message.QuotaUsage> quotas = new ArrayList<>(records.size());
    for (QuotaUsage record : records) {
      quotas.add(fromRecord(record));
    }
    return quotas;
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
                        cell.shareNumber(),
                        cell.share().used()))
            .toList();
    return new QuotaUsage(
        usage.quotaKey().toString(),
        usage.generation(),
        usage.demandPerSecond(),
        usage.needed(),
        cells,
        usage.classes().stream()
            .map(each -> new ClassDemand(each.perSecond(), each.needed()))
            .toList(),
        usage.need().costliest(),
        told(usage.need().cost().mean()),
        told(usage.need().cost().typical()));
  }

  private static long told(long cost) {
    return cost == 1 ? 0 : cost;
  }

  private static io.quotaenforcer.core.message.QuotaUsage fromRecord(QuotaUsage usage) {
    return new io.quotaenforcer.core.message.QuotaUsage(
        QuotaKey.parse(usage.quotaKey()),
        usage.generation(),
        usage.demandPerSecond(),
        new Need(
            usage.needed(),
            usage.costliest(),
            RequestCost.told(usage.meanCost(), usage.typicalCost())),
        classes(usage.classes()),
        cells(usage.cells()));
  }

  private static List<io.quotaenforcer.core.message.ClassDemand> classes(
      List<ClassDemand> records) {
    return records.isEmpty()
        ? List.of()
        : records.stream()
            .map(
                each ->
                    new io.quotaenforcer.core.message.ClassDemand(each.perSecond(), each.needed()))
            .toList();
  }

  private static List<io.quotaenforcer.core.message.CellUsage> cells(List<CellUsage> records) {
    List<io.quotaenforcer.core.message.CellUsage> cells = new ArrayList<>(records.size());
    for (CellUsage record : records) {
      cells.add(
          new io.quotaenforcer.core.message.CellUsage(
              record.id(),
              record.windowStartNanos(),
              new CellCounts(
                  record.granted(),
                  record.taken(),
                  record.putBack(),
                  record.givenBack(),
                  record.throttled()),
              record.closed(),
              new EarlierUse(record.usedEarlier(), record.earlierNanos()),
              new NamedShare(record.shareNumber(), record.shareUsed())));
    }
    return cells;
  }
}
