package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;

/** Refuses reports that no correct instance sends, before they can harm the counts. */
final class UsageCheck {
  /** Far above any limit, far below where sums overflow. */
  private static final long MAX_COUNT = 1_000_000_000_000_000L;

  private static final int MAX_CELLS = 100;

  private UsageCheck() {}

  static void check(QuotaUsage usage) {
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
