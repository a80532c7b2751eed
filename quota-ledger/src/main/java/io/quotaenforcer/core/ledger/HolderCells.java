package io.quotaenforcer.core.ledger;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a holder, by ascending id. Immutable.
 *
 * <p>A report changes the cells of one holder, and asks how much all others may still take. That is
 * known without a look at their cells, so that these need not be there: a quota key may have
 * hundreds of holders.
 */
public final class HolderCells extends AbstractList<LedgerCell> implements RandomAccess {
  /** No cells. */
  public static final HolderCells NONE = new HolderCells(new LedgerCell[0], null);

  private final int size;
  private final @Nullable Source source;
  private volatile LedgerCell @Nullable [] cells;

  private final long newestWindow;
  private final long outstandingOfNewest;
  private final long outstandingInLeases;
  private final long firstLeaseEnd;
  private final boolean hasOpen;
  private final boolean hasGranted;
  private final boolean hasShareInUse;
  private final int numbers;

  /** Where cells are read again from. */
  public interface Source {
    /** The same cells each time. */
    LedgerCell[] read();
  }

  private HolderCells(LedgerCell[] all, @Nullable Source source) {
    long newest = Long.MIN_VALUE;
    long ofNewest = 0;
    long inLeases = 0;
    long firstEnd = Long.MAX_VALUE;
    boolean open = false;
    boolean granted = false;
    boolean shareInUse = false;
    int notZero = 0;
    for (LedgerCell cell : all) {
      long window = cell.usage().windowStartNanos();
      long outstanding = cell.outstanding();
      if (window > newest) {
        newest = window;
        ofNewest = 0;
      }
      if (window == newest) {
        ofNewest += outstanding;
      }
      if (!cell.isWrittenOff()) {
        inLeases += outstanding;
        firstEnd = cell.isGranted() ? Math.min(firstEnd, cell.validUntilNanos()) : firstEnd;
      }
      open |= !cell.usage().closed();
      granted |= cell.isGranted();
      shareInUse |= cell.isShareInUse();
      notZero += cell.numbers();
    }
    this.size = all.length;
    this.source = source;
    this.cells = source == null ? all : null;
    this.newestWindow = newest;
    this.outstandingOfNewest = ofNewest;
    this.outstandingInLeases = inLeases;
    this.firstLeaseEnd = firstEnd;
    this.hasOpen = open;
    this.hasGranted = granted;
    this.hasShareInUse = shareInUse;
    this.numbers = notZero;
  }

  /** A copy of these. */
  public static HolderCells of(List<LedgerCell> cells) {
    return cells instanceof HolderCells same
        ? same
        : new HolderCells(cells.toArray(new LedgerCell[0]), null);
  }

  /**
   * Cells that are not kept, but read once more when they are looked at.
   *
   * @param cells as the source reads them
   */
  public static HolderCells of(LedgerCell[] cells, Source source) {
    return new HolderCells(cells, source);
  }

  @Override
  public LedgerCell get(int index) {
    return cells()[index];
  }

  @Override
  public int size() {
    return size;
  }

  private LedgerCell[] cells() {
    LedgerCell[] known = cells;
    if (known == null) {
      if (source == null) {
        throw new IllegalStateException("must have cells or a source of them");
      }
      known = source.read();
      cells = known;
    }
    return known;
  }

  /** Permits of a window that may still be taken. */
  long outstandingOf(long window) {
    if (window >= newestWindow) {
      return window == newestWindow ? outstandingOfNewest : 0;
    }
    long sum = 0;
    for (LedgerCell cell : cells()) {
      sum += cell.usage().windowStartNanos() == window ? cell.outstanding() : 0;
    }
    return sum;
  }

  /** Permits that may still be taken, but for those of leases that were written off. */
  long outstandingInLeases() {
    return outstandingInLeases;
  }

  /** When the first lease ends that was not written off; {@link Long#MAX_VALUE} without any. */
  long firstLeaseEnd() {
    return firstLeaseEnd;
  }

  boolean hasOpen() {
    return hasOpen;
  }

  boolean hasGranted() {
    return hasGranted;
  }

  boolean hasShareInUse() {
    return hasShareInUse;
  }

  /** Numbers that are to be kept of them all. */
  int numbers() {
    return numbers;
  }
}
