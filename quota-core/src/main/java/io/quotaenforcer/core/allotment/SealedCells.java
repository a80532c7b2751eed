package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.CellUsage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Cells of one quota key that are out of use and not settled yet, oldest first, and what all cells
 * ever sealed amount to. Not safe for use by several threads.
 */
final class SealedCells {
  /**
   * From here on a window's use is counted in the cell that is open, so that an outage stays cheap.
   */
  private static final int MANY = 48;

  private static final int FEW = 2;

  /** Below what the enforcer accepts of one key in one report, with room for the cells in use. */
  private static final int MAX_REPORTED = 90;

  private static final int FULL = 80;

  /** Empty most of the time, and then the one that all share. */
  private List<Cell> cells = List.of();

  private long asked;

  /** Of cells that are settled. */
  private long changes;

  private long window;
  private long usedInWindow;
  private long used;

  /** Ends a cell and keeps it until it is settled. */
  void seal(Cell cell, long now) {
    cell.seal(now);
    asked += cell.asked();
    countInWindow(cell.windowStartNanos(), cell.used());
    used += cell.used();
    hold(cells.size(), List.of(cell));
  }

  /** Takes a cell into use again; false if it is not among these. */
  boolean reopen(Cell cell) {
    if (!cells.remove(cell)) {
      return false;
    }
    asked -= cell.asked();
    used -= cell.used();
    usedInWindow -= window == cell.windowStartNanos() ? cell.used() : 0;
    cell.reopen();
    return true;
  }

  /** Takes over all cells of another, older key allotment. */
  void adopt(SealedCells older) {
    hold(0, older.cells);
    changes++;
    countInWindow(older.window, older.usedInWindow);
    used += older.used;
    older.cells = List.of();
  }

  void settle(List<Long> ids) {
    if (cells.isEmpty() || ids.isEmpty()) {
      return;
    }
    for (Iterator<Cell> each = cells.iterator(); each.hasNext(); ) {
      Cell cell = each.next();
      if (ids.contains(cell.id())) {
        changes += cell.changes();
        each.remove();
      }
    }
    cells = cells.isEmpty() ? List.of() : cells;
  }

  private void hold(int at, List<Cell> more) {
    cells = cells.isEmpty() ? new ArrayList<>(FEW) : cells;
    cells.addAll(at, more);
  }

  boolean isEmpty() {
    return cells.isEmpty();
  }

  boolean areMany() {
    return cells.size() >= MANY;
  }

  /** Whether no more than the cells in use fit into a report. */
  boolean isFull() {
    return cells.size() >= FULL;
  }

  boolean contains(long id) {
    for (Cell cell : cells) {
      if (cell.id() == id) {
        return true;
      }
    }
    return false;
  }

  /** Whether permits of one of them were granted. */
  boolean hasGrants() {
    for (Cell cell : cells) {
      if (cell.id() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether there is a cell that decisions in flight may still put permits back into. */
  boolean hasFresh(long closeBefore) {
    return !cells.isEmpty() && cells.get(cells.size() - 1).isFresh(closeBefore);
  }

  boolean hasClosable(long closeBefore) {
    for (Cell cell : cells) {
      if (cell.isClosable(closeBefore)) {
        return true;
      }
    }
    return false;
  }

  /** Permits asked for of all cells ever sealed. */
  long asked() {
    return asked;
  }

  /** Slots of sealed cells that requests still hold. */
  long running() {
    long running = 0;
    for (Cell cell : cells) {
      running += cell instanceof SlotCell slots ? slots.running() : 0;
    }
    return running;
  }

  /**
   * Grows with whatever there is to report of sealed cells: also with what comes back of requests
   * that turn out otherwise, and that a cell is closed.
   */
  long changes() {
    long all = changes;
    for (Cell cell : cells) {
      all += cell.changes();
    }
    return all;
  }

  /** Permits used of sealed cells, settled ones included. */
  long used() {
    return used;
  }

  /** Permits used of sealed cells of a window, settled ones included. */
  long usedIn(long windowStartNanos) {
    return window == windowStartNanos ? usedInWindow : 0;
  }

  /**
   * Counts to report: the oldest first, since the enforcer forgets a closed cell only by those that
   * came before it.
   */
  List<CellUsage> usages(long closeBefore) {
    int count = Math.min(cells.size(), MAX_REPORTED);
    List<CellUsage> usages = new ArrayList<>(count + 3);
    for (int i = 0; i < count; i++) {
      usages.add(cells.get(i).usage(closeBefore));
    }
    return usages;
  }

  private void countInWindow(long windowStart, long used) {
    if (windowStart > window) {
      window = windowStart;
      usedInWindow = used;
    } else if (windowStart == window) {
      usedInWindow += used;
    }
  }
}
