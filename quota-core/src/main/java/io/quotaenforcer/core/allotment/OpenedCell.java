package io.quotaenforcer.core.allotment;

/**
 * The enforcer's knowledge of the cell that counts what is used without a grant. Belongs to the
 * owner of the book.
 */
final class OpenedCell {
  private final HeldCells cells;
  private long usedAtReport;
  private long changesAtAnswer;

  OpenedCell(HeldCells cells) {
    this.cells = cells;
  }

  /** Whether permits were used since the last report. */
  boolean isUntold() {
    Cell cell = cells.opened();
    return cell != null && cell.used() != usedAtReport;
  }

  /** A report leaves. */
  void reported() {
    Cell cell = cells.opened();
    usedAtReport = cell == null ? 0 : cell.used();
  }

  /**
   * Ends the cell once it is not used any more, as grants serve instead: it is reported no longer.
   */
  void answered(long now) {
    synchronized (cells) {
      Cell cell = cells.opened();
      if (cell != null && cells.inUse(now) != null) {
        long changes = cell.changes();
        if (changes == changesAtAnswer && cells.mayEndOpened()) {
          cells.open(null, now);
        }
        changesAtAnswer = changes;
      }
    }
  }
}
