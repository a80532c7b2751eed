package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import org.jspecify.annotations.Nullable;

/**
 * The live cells of one quota key: the share's, the lease in use, the next window's, and the one
 * the instance opened itself (for what it opens, for a fallback, or only to count what was
 * throttled). Any thread may take permits from them. It is a base class and not a field of {@link
 * HeldCells}, which opens and ends them, since each decision reads it.
 */
abstract class LiveCells {
  volatile @Nullable LeaseCell current;
  volatile @Nullable LeaseCell next;
  volatile @Nullable CountingCell opened;
  volatile @Nullable HeldShare share;

  /** Permits of leases that are kept for requests that cost more than the share holds. */
  volatile long keptForCostly;

  /**
   * The cell that the permits were taken from, of the share if that has room, else of a lease; null
   * when neither has.
   */
  @Nullable Cell tryTake(long permits, long now) {
    HeldShare own = share;
    long kept = 0;
    if (own != null && own.isValidAt(now)) {
      Cell of = own.tryTake(permits, now);
      if (of != null) {
        return of;
      }
      kept = own.holds(permits) ? keptForCostly : 0;
    }
    return tryTakeLeased(permits, kept, now);
  }

  /**
   * The lease that the permits were taken from; null when none has enough.
   *
   * @param kept permits that are not taken
   */
  @Nullable Cell tryTakeLeased(long permits, long kept, long now) {
    LeaseCell first = current;
    if (first != null && leaves(kept, first, permits) && first.tryTake(permits, now)) {
      return first;
    }
    LeaseCell cell = next;
    if (cell != null && leaves(kept, cell, permits) && cell.tryTake(permits, now)) {
      return cell;
    }
    cell = current;
    // What was next may just have become current.
    return cell != null
            && cell != first
            && leaves(kept, cell, permits)
            && cell.tryTake(permits, now)
        ? cell
        : null;
  }

  private static boolean leaves(long kept, LeaseCell lease, long permits) {
    return kept == 0 || lease.room() >= PermitCount.plus(kept, permits);
  }

  /** Takes what is owed from whatever was granted and is valid now. */
  void pay(Debt debt, long now) {
    HeldShare own = share;
    if (own != null) {
      own.pay(debt, now);
    }
    for (Cell cell : new @Nullable Cell[] {current, next}) {
      if (cell != null && debt.owed() > 0) {
        // Of two threads that pay at once, the second returns what it took.
        cell.putBack(debt.pay(cell.takeUpTo(debt.owed(), now)), now);
      }
    }
  }

  /** Permits that may be taken of what was granted, besides from {@code from}'s, if that is one. */
  long room(@Nullable Cell from, long now) {
    LeaseCell lease = current;
    long inUse = lease == null ? 0 : lease.room();
    long leased = from == null ? inUse : from.leased(inUse);
    HeldShare own = share(now);
    return Math.max(0, leased) + (own == null ? 0 : own.room(now));
  }

  /** Permits that may be taken now of the share. */
  long shareRoom(long now) {
    HeldShare own = share(now);
    return own == null ? 0 : Math.max(0, own.room(now));
  }

  /** The granted cell that is valid now. */
  @Nullable Cell inUse(long now) {
    HeldShare own = share;
    Cell ofShare = own == null ? null : own.inUse(now);
    if (ofShare != null) {
      return ofShare;
    }
    LeaseCell cell = current;
    if (cell == null || !cell.isValidAt(now)) {
      cell = next;
    }
    return cell != null && cell.isValidAt(now) ? cell : null;
  }

  @Nullable LeaseCell current() {
    return current;
  }

  /** The share, if it is valid now. */
  @Nullable HeldShare share(long now) {
    HeldShare own = share;
    return own != null && own.isValidAt(now) ? own : null;
  }

  /** The share, if its term is not over, whether or not the rules are known. */
  @Nullable HeldShare keptShare(long now) {
    HeldShare own = share;
    return own != null && own.isKeptAt(now) ? own : null;
  }

  /** Whether there is a share that may give permits without any answer. */
  boolean isCarried(long now) {
    return shareFor(1, now) != null;
  }

  /** The share, if it is valid now and can hold that many permits at all. */
  @Nullable HeldShare shareFor(long permits, long now) {
    HeldShare own = share(now);
    return own != null && own.holds(permits) ? own : null;
  }

  /** Whether a window may have begun for which the share has no cell yet. */
  boolean isWindowDue(long now) {
    HeldShare own = share;
    return own != null && own.isWindowDue(now);
  }

  @Nullable CountingCell opened() {
    return opened;
  }
}
