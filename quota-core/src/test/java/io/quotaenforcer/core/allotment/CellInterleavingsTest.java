package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.CellUsage;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * A cell in every order of the steps of few calls: never over what is granted, and nothing is taken
 * that its final counts do not hold.
 */
class CellInterleavingsTest {
  private static final long FOREVER = Long.MAX_VALUE;
  private static final Spreading SPREADING = new Spreading(2, 0, 1);

  @Test
  void takers_whileMoreIsGrantedAndSomeGivenBack_areNeverOver() {
    Interleavings.check(Granting.class, 20);
  }

  @Test
  void takers_whileTheCellIsClosed_areInItsFinalCounts() {
    Interleavings.check(Closing.class, 20);
  }

  @Test
  void takers_whileACellThatOnlyCountsIsClosed_areInItsFinalCounts() {
    Interleavings.check(ClosingUnlimited.class, 20);
  }

  @Test
  void takers_whileTheCellIsSpread_areNeverOver() {
    Interleavings.check(SpreadGranting.class, 20);
  }

  @Test
  void takers_whileASpreadCellIsClosed_areInItsFinalCounts() {
    Interleavings.check(SpreadClosing.class, 20);
  }

  /** The operations of decisions on a cell, with an account kept beside the cell. */
  public abstract static class Takers {
    final Cell cell;
    final AtomicLong granted;
    private final AtomicLong takenEver = new AtomicLong();

    /** Counted only after permits were taken, and no more before they are put back. */
    private final AtomicLong held = new AtomicLong();

    /** These, and permits that were given back. */
    private final AtomicLong gone = new AtomicLong();

    private volatile boolean over;

    Takers(Cell cell, long granted) {
      this.cell = cell;
      this.granted = new AtomicLong(granted);
    }

    static LeaseCell lease(long granted) {
      return new LeaseCell(1, 0, granted, 0, FOREVER);
    }

    @Operation
    public boolean tryTake() {
      return cell.tryTake(1, 0) && take(1);
    }

    @Operation
    public boolean takeUpToTwo() {
      return take(cell.takeUpTo(2, 0));
    }

    /** Another rule had no room for a request that was decided before. */
    @Operation
    public boolean putBack() {
      if (held.getAndUpdate(now -> Math.max(0, now - 1)) == 0) {
        return false;
      }
      gone.decrementAndGet();
      cell.putBack(1, 0);
      return true;
    }

    @Validate
    public void validate() {
      CellUsage usage = cell.usage(Long.MIN_VALUE);
      String all = usage + " held=" + held + " takenEver=" + takenEver;
      if (over) {
        throw new IllegalStateException("over what is granted: " + all);
      }
      if (usage.taken() - usage.givenBack() != takenEver.get() || usage.used() != held.get()) {
        throw new IllegalStateException("does not add up: " + all);
      }
      if (taken() != usage.taken()) {
        throw new IllegalStateException("taken after it was closed: " + taken() + " then, " + all);
      }
    }

    /** Permits that were taken of the cell, by the last that is known of it. */
    long taken() {
      return cell.usage(Long.MIN_VALUE).taken();
    }

    final void leave(long permits) {
      if (gone.addAndGet(permits) > granted.get()) {
        over = true;
      }
    }

    private boolean take(long permits) {
      takenEver.addAndGet(permits);
      held.addAndGet(permits);
      leave(permits);
      return permits > 0;
    }
  }

  /** Beside an owner of the book who hears of larger grants, and gives back. */
  public static class Granting extends Takers {
    private final LeaseCell lease;

    public Granting() {
      this(1);
    }

    Granting(long firstGrant) {
      super(lease(firstGrant), firstGrant);
      lease = (LeaseCell) cell;
    }

    @Operation(nonParallelGroup = "owner")
    public void renew() {
      lease.renew(granted.incrementAndGet(), 0, FOREVER);
    }

    @Operation(nonParallelGroup = "owner")
    public void giveBack() {
      leave(cell.giveBack(1));
    }
  }

  /** Beside an owner of the book who takes the cell out of use, and reports its final counts. */
  public static class Closing extends Takers {
    private long takenWhenClosed = -1;

    public Closing() {
      this(2);
    }

    Closing(long granted) {
      this(lease(granted), granted);
    }

    Closing(Cell cell, long granted) {
      super(cell, granted);
    }

    @Operation(nonParallelGroup = "owner")
    public void close() {
      cell.seal(1);
      takenWhenClosed = cell.usage(FOREVER).taken();
    }

    @Override
    long taken() {
      return takenWhenClosed < 0 ? super.taken() : takenWhenClosed;
    }
  }

  /** Beside an owner who moves permits to where threads find them, and back. */
  public static class SpreadGranting extends Granting {
    public SpreadGranting() {
      super(4);
      cell.spread(SPREADING);
    }

    @Operation(nonParallelGroup = "owner")
    public void spread() {
      cell.spread(SPREADING);
    }
  }

  /** The same, and then the cell is taken out of use. */
  public static class SpreadClosing extends Closing {
    public SpreadClosing() {
      super(4);
      cell.spread(SPREADING);
    }

    @Operation(nonParallelGroup = "owner")
    public void spread() {
      cell.spread(SPREADING);
    }
  }

  /** The same for a cell without a limit. */
  public static class ClosingUnlimited extends Closing {
    public ClosingUnlimited() {
      super(new CountingCell(-1, 0), FOREVER);
    }
  }
}
