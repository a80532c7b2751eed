package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ClassDemand;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.ArrayList;
import java.util.List;

/**
 * Refuses reports that no correct instance sends, before they can harm the counts. What is only
 * asked for or refused may be as much as callers like: it is cut to what can be counted, since use
 * stands beside it in the same report.
 */
final class UsageCheck {
  /** Far above what a cell ever counts, and two of them still add up. */
  private static final long MAX_COUNT = 1L << 61;

  private static final int MAX_CELLS = 100;

  private static final int MAX_SHOWN_CHARS = 50;

  private UsageCheck() {}

  /** The usage, with all of it within bounds. */
  static QuotaUsage bounded(UsageReport report, QuotaUsage usage) {
    check(report.holder());
    if (usage.cells().size() > MAX_CELLS) {
      throw new InvalidReportException(
          "must have at most " + MAX_CELLS + " cells: cells=" + usage.cells().size());
    }
    double demand = usage.demandPerSecond();
    if (!(demand >= 0)) {
      throw new InvalidReportException("must be a rate: demandPerSecond=" + demand);
    }
    checkClasses(usage.classes());
    boolean isBounded = usage.need().isReportable() && PermitCount.reported(demand) == demand;
    for (CellUsage cell : usage.cells()) {
      check(cell);
      isBounded &= PermitCount.isReportable(cell.throttled());
    }
    return isBounded ? usage : cut(usage);
  }

  /** Each is cut to what can be counted as it is booked. */
  private static void checkClasses(List<ClassDemand> classes) {
    boolean areRates = classes.stream().allMatch(each -> each.perSecond() >= 0);
    if (classes.size() > DemandClasses.MAX || !areRates) {
      throw new InvalidReportException(
          "must be rates of at most %d classes: classes=%d"
              .formatted(DemandClasses.MAX, classes.size()));
    }
  }

  /** Ids that begin with # are ours. */
  private static void check(HolderId holder) {
    boolean reports =
        !(holder instanceof HolderId.Unrecorded || holder instanceof HolderId.Reserved);
    String instance = holder.text();
    if (!reports || instance.length() > HolderId.Instance.MAX_CHARS) {
      String shown = instance.substring(0, Math.min(instance.length(), MAX_SHOWN_CHARS));
      throw new InvalidReportException(
          "must have 1 to %d characters, and not begin with #: instance=%s (%d characters)"
              .formatted(HolderId.Instance.MAX_CHARS, shown, instance.length()));
    }
  }

  private static QuotaUsage cut(QuotaUsage usage) {
    List<CellUsage> cells = new ArrayList<>(usage.cells());
    cells.replaceAll(cell -> cell.withThrottled(PermitCount.reported(cell.throttled())));
    return new QuotaUsage(
        usage.quotaKey(),
        usage.generation(),
        PermitCount.reported(usage.demandPerSecond()),
        usage.need().reported(),
        usage.classes(),
        cells);
  }

  private static void check(CellUsage cell) {
    boolean counts =
        isCount(cell.taken())
            && isCount(cell.putBack())
            && isCount(cell.givenBack())
            && cell.shareNumber() >= 0;
    if (!counts || cell.id() == 0) {
      throw new InvalidReportException("must be counts of a cell with an id: cell=" + cell);
    }
    if (cell.putBack() + cell.givenBack() > cell.taken()) {
      throw new InvalidReportException("must put back no more than was taken: cell=" + cell);
    }
  }

  private static boolean isCount(long value) {
    return value >= 0 && value <= MAX_COUNT;
  }
}
