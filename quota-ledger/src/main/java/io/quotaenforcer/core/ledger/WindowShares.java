package io.quotaenforcer.core.ledger;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Use of shares of windows. A share's permits are reserved in each window as long as it is in use,
 * but for those of the window that its holder has given back. So use of it is charged to a window
 * only as far as it is more: after a share was cut, or has ended, within the window that it was
 * used in.
 */
final class WindowShares {
  private WindowShares() {}

  /** Charges what is not charged yet of use in the window that begins at {@code from} and later. */
  static Holder charge(WindowAccount account, Holder holder, long from) {
    List<LedgerCell> cells = null;
    for (int i = 0; i < holder.cells().size(); i++) {
      LedgerCell cell = holder.cells().get(i);
      long window = cell.usage().windowStartNanos();
      if (cell.isOfShare() && window >= from) {
        cells = cells == null ? new ArrayList<>(holder.cells()) : cells;
        LedgerCell known = cells.get(i);
        long charge = uncharged(cells, known);
        if (charge > 0) {
          account.spend(charge, window);
        } else if (charge < 0) {
          account.unspend(-charge, window);
        }
        cells.set(i, known.withBooked(window, known.bookedThere() + charge));
      }
    }
    return cells == null ? holder : holder.withCells(cells);
  }

  /** Use of the same share in the same window beyond what is reserved, less what is charged. */
  private static long uncharged(List<LedgerCell> cells, LedgerCell cell) {
    long window = cell.usage().windowStartNanos();
    LedgerCell share = shareOf(cell, cells);
    long used = 0;
    long charged = 0;
    long givenBack = 0;
    for (LedgerCell other : cells) {
      boolean isOfWindow = other.isOfShare() && other.usage().windowStartNanos() == window;
      if (isOfWindow && shareOf(other, cells) == share) {
        used += other.usage().used();
        charged += other.bookedThere();
        givenBack += givenBack(cells, other);
      }
    }
    return Math.max(0, used - Math.max(0, reserved(share, window) - givenBack)) - charged;
  }

  /**
   * Permits of its window that the holder of a cell gave back of the share that is in use: it will
   * not take them, whatever becomes of the share.
   */
  static long givenBack(List<LedgerCell> cells, LedgerCell cell) {
    LedgerCell share = shareOf(cell, cells);
    return share == null || !share.isShareInUse()
        ? 0
        : Math.min(cell.usage().givenBack(), share.share().permits());
  }

  /** Permits that a holder used of a window by its shares and that are not charged to it. */
  static long usedIn(Holder holder, long window) {
    long used = 0;
    for (LedgerCell cell : holder.cells()) {
      boolean counts = cell.isOfShare() && cell.usage().windowStartNanos() == window;
      used += counts ? cell.usage().used() - cell.bookedThere() : 0;
    }
    return used;
  }

  /** Those that it used of its share in a window, or gave back. */
  static long doneWith(Holder holder, long window) {
    long done = usedIn(holder, window);
    for (LedgerCell cell : holder.cells()) {
      boolean counts = cell.isOfShare() && cell.usage().windowStartNanos() == window;
      done += counts ? givenBack(holder.cells(), cell) : 0;
    }
    return done;
  }

  /** The share that was in use when the cell's permits were taken; null when it is not known. */
  private static @Nullable LedgerCell shareOf(LedgerCell cell, List<LedgerCell> cells) {
    LedgerCell found = null;
    for (LedgerCell other : cells) {
      if (other.share().isShare()
          && other.id() <= cell.usage().shareNumber()
          && (found == null || other.id() > found.id())) {
        found = other;
      }
    }
    return found;
  }

  private static long reserved(@Nullable LedgerCell share, long window) {
    if (share == null) {
      return 0;
    }
    if (share.isShareInUse()) {
      return share.share().permits();
    }
    return share.isWrittenOff() && share.bookedWindow() == window ? share.bookedThere() : 0;
  }
}
