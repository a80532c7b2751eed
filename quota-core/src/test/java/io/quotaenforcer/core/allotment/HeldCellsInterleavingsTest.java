package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The cells of a quota key in every order of the steps of few calls: while cells are granted, take
 * the place of others, and end, no cell is over, and all that was taken is in the report.
 */
class HeldCellsInterleavingsTest {
  @Test
  void cells_replacedWhileTaken_areNeverOverAndAddUp() {
    Interleavings.check(Operations.class, 8);
  }

  /**
   * The operations of decisions and of the book's owner, with an account kept beside the cells. The
   * owner's run in one thread, which needs no lock.
   */
  @SuppressWarnings("GuardedBy")
  public static class Operations {
    private static final int MOST_CELLS = 16;
    private static final long NOW = 5;
    private static final long PERMITS = 1;

    private final HeldCells cells = new HeldCells();
    private final AtomicLongArray granted = new AtomicLongArray(MOST_CELLS);
    private final AtomicLongArray taken = new AtomicLongArray(MOST_CELLS);
    private final AtomicLong all = new AtomicLong();
    private int newest;
    private volatile boolean over;

    @Operation
    public boolean tryTake() {
      Cell from = cells.tryTake(1, NOW);
      if (from == null) {
        return false;
      }
      take(from);
      return true;
    }

    /** A cell in the place of the one in use. */
    @Operation(nonParallelGroup = "owner")
    public void replace() {
      grant(++newest, 0);
    }

    /** The cell of a window that has begun, beside the one in use; and then in its place. */
    @Operation(nonParallelGroup = "owner")
    public void nextWindow() {
      newest++;
      grant(newest, newest);
      cells.turn(NOW);
    }

    @Operation(nonParallelGroup = "owner")
    public void endGranted() {
      cells.endGranted(NOW);
    }

    @Validate
    public void validate() {
      if (over) {
        throw new IllegalStateException("over what is granted: taken=" + taken);
      }
      long reported = 0;
      for (CellUsage usage : cells.usages(Long.MAX_VALUE, NOW)) {
        reported += usage.used();
        if (usage.used() != taken.get((int) usage.id())) {
          throw new IllegalStateException("does not add up: " + usage + " taken=" + taken);
        }
      }
      if (reported != all.get()) {
        throw new IllegalStateException("not all is reported: " + reported + " taken=" + taken);
      }
    }

    private void grant(int id, long window) {
      long permits = granted.addAndGet(id, PERMITS);
      cells.grant(
          new CellGrant(id, window, permits, 0, Long.MAX_VALUE),
          new Lease(0, Long.MAX_VALUE),
          false,
          NOW);
    }

    private void take(Cell from) {
      int id = (int) from.id();
      all.incrementAndGet();
      if (taken.incrementAndGet(id) > granted.get(id)) {
        over = true;
      }
    }
  }
}
