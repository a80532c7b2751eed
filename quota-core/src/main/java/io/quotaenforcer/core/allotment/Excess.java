package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.DemandFall;
import org.jspecify.annotations.Nullable;

/**
 * Permits that an instance holds of a key beyond what is likely to be asked for soon, which it
 * gives back. Belongs to the owner of the book.
 */
record Excess(KeyDemand demand, JudgedKey key) {
  /**
   * Leftover permits are not worth a report below this fraction of the instance's share of the
   * limit, unless others lack it. It is given back when the key is idle.
   */
  private static final int SHARES_KEPT = 4;

  /** Gives it back; how much that is of the granted cell. */
  long giveBack() {
    LeaseCell cell = key.cell();
    HeldShare share = key.share();
    if (share != null && !key.link().isAwayAt(key.now())) {
      giveBackOfWindow(share);
    }
    if (cell == null) {
      return 0;
    }
    return cell instanceof SlotCell ? giveBackSlots(cell) : giveBackLeased(cell, share);
  }

  private long giveBackSlots(LeaseCell cell) {
    long kept = demand.slots().worthKeeping(key.unmet().awaiting(), key.isScarce());
    return cell.room() > kept + (key.isScarce() ? 0 : 1) ? cell.giveBack(cell.room() - kept) : 0;
  }

  private long giveBackLeased(LeaseCell cell, @Nullable HeldShare share) {
    double horizon = demand.horizon(key, cell);
    double expected = demand.perSecond(key) * horizon / 1e9;
    double expectedOfLease = expected;
    long kept = key.unmet().toKeep(key.limit().capacity(), key.now());
    if (share != null && share.holds(1)) {
      kept = key.unmet().toKeepBesideShare(key.limit().capacity(), key.now());
      if (share.cell().isAllOfBucket(key.link().answerNanos())) {
        // What the share cannot hold is all that a lease is for.
        return cell.giveBack(cell.room() - kept);
      }
      expectedOfLease = Math.max(0, demand.beside(share, key, horizon));
    }
    long sure = kept + (long) expectedOfLease;
    if (demand.leavesSpare(key)) {
      return cell.giveBack(cell.room() - sure);
    }
    long one = key.cost().mean();
    long chance = 2 * one + (long) (3 * Math.sqrt(expected * key.cost().typical()));
    // Of a scarce limit the enforcer says who gets what is to be kept for the next request.
    long needed = sure + (key.isScarce() ? 1 : chance);
    long margin = key.isScarce() ? 0 : Math.max(needed / 2, key.evenShare() / SHARES_KEPT);
    return cell.room() > needed + margin ? cell.giveBack(cell.room() - needed) : 0;
  }

  /** Gives back what the share has of this window and nobody is likely to ask for here. */
  private void giveBackOfWindow(HeldShare share) {
    double perSecond = demand.leastPerSecond();
    double shares = share.cell().permitsPerNano() * 1e9;
    if (share.isRenewing()
        || demand.isMomentary(key.now())
        || !DemandFall.isMoreThanChance(shares, perSecond, key.cost().typical())) {
      return;
    }
    double expected = perSecond * key.leftOfWindow() / 1e9;
    long kept = key.unmet().toKeep(key.limit().capacity(), key.now());
    double chance = 3 * Math.sqrt(expected * key.cost().typical());
    long needed = key.cost().mean() + kept + (long) (expected + chance);
    if (share.room(key.now()) > needed + needed / 2) {
      share.giveBackBeyond(needed);
    }
  }
}
