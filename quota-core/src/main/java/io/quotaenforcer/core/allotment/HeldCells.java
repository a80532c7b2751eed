package io.quotaenforcer.core.allotment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaAnswer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one quota key, those that are live and those that are sealed. Any thread may take
 * permits, as {@link LiveCells} says; everything here is for whoever has locked this object.
 */
final class HeldCells extends LiveCells {
  @GuardedBy("this")
  private final SealedCells sealed = new SealedCells();

  @GuardedBy("this")
  private long newestGrantId;

  @GuardedBy("this")
  private long newestShareId;

  /** The lease that was given back last; null if that is known to be closed. */
  @GuardedBy("this")
  private @Nullable LeaseCell givenBack;

  /**
   * Makes the cells of windows that have begun, or soon do, and that the instance has a share of.
   */
  @GuardedBy("this")
  void beginWindows(BookContext context, KeyView key) {
    HeldShare own = share;
    if (own != null) {
      own.beginWindows(context, key, sealed);
    }
  }

  /** Ends the cells of windows that are over, and makes none. */
  @GuardedBy("this")
  void turnWindows(KeyView key) {
    HeldShare own = share;
    if (own != null) {
      own.turn(key, sealed);
    }
  }

  /** Notes when the report was sent that the newest answer of the share is to. */
  @GuardedBy("this")
  void told(long sentNanos, KeyView key) {
    HeldShare own = share;
    if (own != null) {
      own.told(sentNanos, key.limit());
    }
  }

  /** Keeps permits of leases for requests that cost more than the share ever holds. */
  @GuardedBy("this")
  void keepForCostly(long permits) {
    if (keptForCostly != permits) {
      keptForCostly = permits;
    }
  }

  @GuardedBy("this")
  SealedCells sealed() {
    return sealed;
  }

  @GuardedBy("this")
  boolean areSettled() {
    return live().isEmpty() && sealed.isEmpty();
  }

  /** Takes the next window's cell into use once it is valid. */
  @GuardedBy("this")
  void turn(long now) {
    LeaseCell following = next;
    if (following != null && following.isValidAt(now)) {
      endCurrent(now);
      current = following;
      next = null;
    }
  }

  /** Has threads that race for the permits in use find them in different places. */
  @GuardedBy("this")
  void spread(Spreading spreading) {
    HeldShare own = share;
    if (own != null) {
      own.spread(spreading);
    }
    for (Cell cell : new @Nullable Cell[] {current, opened}) {
      if (cell != null) {
        cell.spread(spreading);
      }
    }
  }

  /** Has others take the place of cells that were taken from, and put back into, without end. */
  @GuardedBy("this")
  void endWorn(long now) {
    if (current != null && current.isWorn()) {
      endCurrent(now);
    }
    if (share != null && share.cell().isWorn()) {
      endShare(now);
    }
    if (opened != null && opened.isWorn() && mayEndOpened()) {
      open(null, now);
    }
  }

  @GuardedBy("this")
  void endCurrent(long now) {
    seal(current, now);
    current = null;
  }

  /** Puts another cell of the instance in the place of the one that is open; null for none. */
  @GuardedBy("this")
  void open(@Nullable CountingCell cell, long now) {
    seal(opened, now);
    opened = cell;
  }

  /** Whether there is an open cell that may be sealed: it goes on while many are not settled. */
  @GuardedBy("this")
  boolean mayEndOpened() {
    return opened != null && !sealed.areMany();
  }

  /** Gives back all that was granted and not used; how much that is of the current window. */
  @GuardedBy("this")
  long endGranted(long now) {
    long back = endLeases(now);
    endShare(now);
    return back;
  }

  /** Gives back what is leased and not used, but not the share; how much that is, as above. */
  @GuardedBy("this")
  long endLeases(long now) {
    LeaseCell ending = current;
    long before = ending == null ? 0 : ending.givenBackNow();
    endCurrent(now);
    seal(next, now);
    next = null;
    givenBack = ending == null ? givenBack : ending;
    return ending == null ? 0 : ending.givenBackNow() - before;
  }

  /**
   * Gives back all that was granted under a higher limit than the answer tells, what it adds to a
   * lease included: a part of that may be older than the limit.
   */
  @GuardedBy("this")
  void endGrantedBefore(QuotaAnswer answer, long now) {
    endGranted(now);
    LeaseCell ended = givenBack;
    if (ended != null) {
      answer.cells().stream()
          .filter(grant -> grant.id() == ended.id())
          .forEach(grant -> ended.giveBackGrant(grant.granted()));
    }
  }

  @GuardedBy("this")
  void endShare(long now) {
    HeldShare ending = share;
    if (ending != null) {
      ending.end(now, sealed);
      share = null;
    }
  }

  @GuardedBy("this")
  void endAll(long now) {
    endGranted(now);
    givenBack = null;
    open(null, now);
  }

  /** Takes over the sealed cells of an older object for the same key. */
  @GuardedBy("this")
  void adopt(HeldCells older) {
    synchronized (older) {
      sealed.adopt(older.sealed);
      newestGrantId = Math.max(newestGrantId, older.newestGrantId);
      newestShareId = Math.max(newestShareId, older.newestShareId);
    }
  }

  /** Ends what the answer does not list any more. */
  @GuardedBy("this")
  void retain(QuotaAnswer answer, long now) {
    sealed.settle(answer.settled());
    if (givenBack != null && answer.settled().contains(givenBack.id())) {
      givenBack = null;
    }
    if (isMissing(current, answer)) {
      endCurrent(now);
    }
    if (share != null && isMissing(share.cell(), answer)) {
      endShare(now);
    }
    if (isMissing(next, answer)) {
      seal(next, now);
      next = null;
    }
  }

  /**
   * Gives back what a key without requests has.
   *
   * @param keepsShare whether its share may rest
   * @return how much that is of the current window
   */
  @GuardedBy("this")
  long endIdle(boolean keepsShare, long now) {
    return keepsShare ? endLeases(now) : endGranted(now);
  }

  /**
   * Takes the cell into use again that was given back last, if the grant has more of it: as long as
   * it is not closed, as while requests hold slots of it, who grants cannot know that it is out of
   * use, and adds to it what requests ask for since.
   */
  @GuardedBy("this")
  void reopen(CellGrant grant) {
    LeaseCell before = givenBack;
    if (current == null
        && before != null
        && before.id() == grant.id()
        && before.isReopenable(grant.granted())
        && sealed.reopen(before)) {
      current = before;
      givenBack = null;
    }
  }

  /**
   * Renews the granted cell, or takes it into use when it is new.
   *
   * @param ofSlots whether requests hold what they take until they end
   */
  @GuardedBy("this")
  void grant(CellGrant grant, Lease lease, boolean ofSlots, long now) {
    LeaseCell held = lease(grant.id());
    if (held != null) {
      held.renew(grant.granted(), lease.fromNanos(), lease.untilNanos());
      return;
    }
    if (grant.id() <= newestGrantId) {
      return;
    }
    newestGrantId = grant.id();
    LeaseCell cell = cell(grant, lease, ofSlots);
    LeaseCell before = current;
    if (before == null
        ? lease.fromNanos() > now
        : cell.windowStartNanos() > before.windowStartNanos()) {
      seal(next, now);
      next = cell;
    } else {
      seal(before, now);
      current = cell;
    }
  }

  private static LeaseCell cell(CellGrant grant, Lease lease, boolean ofSlots) {
    long from = lease.fromNanos();
    long until = lease.untilNanos();
    return ofSlots
        ? new SlotCell(grant.id(), grant.granted(), from, until)
        : new LeaseCell(grant.id(), grant.windowStartNanos(), grant.granted(), from, until);
  }

  /**
   * An answer says how much of its slots a cell is to keep.
   *
   * @param echoNanos when the report was sent that it answers
   */
  @GuardedBy("this")
  void keepSlots(CellGrant grant, long echoNanos) {
    if (lease(grant.id()) instanceof SlotCell slots) {
      slots.keep(grant.granted(), echoNanos);
    }
  }

  /** Notes that a report of the slots leaves. */
  @GuardedBy("this")
  void reportedSlots(long now) {
    if (current instanceof SlotCell slots) {
      slots.reported(now);
    }
  }

  /** Slots that requests hold. */
  @GuardedBy("this")
  long running() {
    long running = sealed.running();
    for (Cell cell : new @Nullable Cell[] {current, next}) {
      running += cell instanceof SlotCell slots ? slots.running() : 0;
    }
    return running;
  }

  /**
   * Keeps to the terms of a share, which is granted now, or goes on.
   *
   * @param enforcerNanos when the answer was made
   */
  @GuardedBy("this")
  void share(CellGrant grant, KeyView key, long untilNanos, long enforcerNanos) {
    HeldShare held = share;
    if (held != null && held.cell().id() == grant.id()) {
      held.follow(grant.share(), untilNanos, key, enforcerNanos);
    } else if (grant.id() > newestShareId) {
      newestShareId = grant.id();
      endShare(key.now());
      share = new HeldShare(grant.id(), grant.share(), key, untilNanos, enforcerNanos);
    }
  }

  @GuardedBy("this")
  void mark() {
    live().forEach(Cell::mark);
  }

  @GuardedBy("this")
  void confirmMark(long now) {
    live().forEach(cell -> cell.confirmMark(now));
  }

  /** Closes a cell that was granted but never used here. */
  @GuardedBy("this")
  void closeUnused(CellGrant grant, long now) {
    if (!isLive(grant.id()) && !sealed.contains(grant.id())) {
      if (grant.share().isShare()) {
        newestShareId = Math.max(newestShareId, grant.id());
      } else {
        newestGrantId = Math.max(newestGrantId, grant.id());
      }
      sealed.seal(new LeaseCell(grant.id(), grant.windowStartNanos(), 0, 0, 0), now);
    }
  }

  /** Permits asked for since the key was first seen. */
  @GuardedBy("this")
  long asked() {
    long asked = sealed.asked();
    for (Cell cell : live()) {
      asked += cell.asked();
    }
    return asked;
  }

  /** Grows with whatever there is to report of any cell. */
  @GuardedBy("this")
  long changes() {
    long changes = sealed.changes();
    for (Cell cell : live()) {
      changes += cell.changes();
    }
    return changes;
  }

  /** Permits used since the key was first seen; more if some were put back late. */
  @GuardedBy("this")
  long used() {
    return sealed.used() + live().stream().mapToLong(Cell::used).sum();
  }

  @GuardedBy("this")
  long usedIn(long windowStartNanos) {
    return sealed.usedIn(windowStartNanos)
        + live().stream()
            .filter(cell -> cell.windowStartNanos() == windowStartNanos)
            .mapToLong(Cell::used)
            .sum();
  }

  @GuardedBy("this")
  List<CellUsage> usages(long closeBefore, long now) {
    List<CellUsage> usages = sealed.usages(closeBefore);
    for (Cell cell : live()) {
      CellUsage usage = cell.usage(closeBefore);
      usages.add(cell instanceof ShareCell of ? of.withUse(usage, now) : usage);
    }
    return usages;
  }

  private static boolean isMissing(@Nullable Cell cell, QuotaAnswer answer) {
    if (cell == null) {
      return false;
    }
    for (CellGrant grant : answer.cells()) {
      if (grant.id() == cell.id()) {
        return grant.isEnded();
      }
    }
    return true;
  }

  @GuardedBy("this")
  private void seal(@Nullable Cell cell, long now) {
    if (cell != null) {
      sealed.seal(cell, now);
    }
  }

  private @Nullable LeaseCell lease(long id) {
    LeaseCell inUse = current;
    if (inUse != null && inUse.id() == id) {
      return inUse;
    }
    LeaseCell following = next;
    return following != null && following.id() == id ? following : null;
  }

  private boolean isLive(long id) {
    for (Cell cell : live()) {
      if (cell.id() == id) {
        return true;
      }
    }
    return false;
  }

  private List<Cell> live() {
    List<Cell> cells = new ArrayList<>(4);
    HeldShare own = share;
    if (own != null) {
      cells.addAll(own.cells());
    }
    for (Cell cell : new @Nullable Cell[] {current, next, opened}) {
      if (cell != null) {
        cells.add(cell);
      }
    }
    return cells;
  }
}
