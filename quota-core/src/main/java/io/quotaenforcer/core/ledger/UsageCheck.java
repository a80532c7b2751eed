package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;

/** Refuses reports that no correct instance sends, before they can harm the counts. */
final class UsageCheck {
  /** Far above any limit, far below where sums overflow. */
  private static final long MAX_COUNT = 1_000_000_000_000_000L;

  private static final int MAX_CELLS = 100;

  private static final int MAX_SHOWN_CHARS = 50;

  private UsageCheck() {}

  static void check(UsageReport report, QuotaUsage usage) {
    checkInstance(report.instance());
    if (usage.cells().size() > MAX_CELLS) {
      throw new InvalidReportException(
          "must have at most " + MAX_CELLS + " cells: cells=" + usage.cells().size());
    }
    double demand = usage.demandPerSecond();
    if (!(demand >= 0 && demand <= MAX_COUNT)) {
      throw new InvalidReportException("must be a rate: demandPerSecond=" + demand);
    }
    if (!isCount(usage.needed())) {
      throw new InvalidReportException("must be a count: needed=" + usage.needed());
    }
    for (CellUsage cell : usage.cells()) {
      checkCell(cell);
    }
  }

  /** Ids that begin with # are ours. */
  private static void checkInstance(String instance) {
    boolean ours = instance.startsWith("#") && !instance.startsWith(UsageReport.REPLAYS);
    if (instance.isEmpty() || instance.length() > UsageReport.MAX_INSTANCE_CHARS || ours) {
      String shown = instance.substring(0, Math.min(instance.length(), MAX_SHOWN_CHARS));
      throw new InvalidReportException(
          "must have 1 to %d characters, and not begin with #: instance=%s (%d characters)"
              .formatted(UsageReport.MAX_INSTANCE_CHARS, shown, instance.length()));
    }
  }

  private static void checkCell(CellUsage cell) {
    boolean counts =
        isCount(cell.taken())
            && isCount(cell.putBack())
            && isCount(cell.givenBack())
            && isCount(cell.throttled())
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
