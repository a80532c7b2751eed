package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.HeldSlots;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Slots of a concurrency limit. What a request took comes back into the cell when it ends, however
 * late that is: so a cell is closed only when nothing of it is held any more.
 *
 * <p>Where others lack slots that this instance has more of than its part, those that come back go
 * on to the enforcer, instead of to the next request here.
 */
final class SlotCell extends LeaseCell implements HeldSlots {
  private final AtomicLong toReturn = new AtomicLong();
  private final Returned returned = new Returned();

  SlotCell(long id, long granted, long validFrom, long validUntil) {
    super(id, granted, validFrom, validUntil);
  }

  /** Gives back slots that a request held. Any thread. */
  void release(long slots) {
    long back = isSealed() ? slots : takeUp(slots);
    if (back > 0) {
      counter().returnTaken(back);
    }
    if (back < slots) {
      // A cell that is sealed meanwhile has them given back with the next report.
      counter().putBack(slots - back);
    }
  }

  /** How many of the given slots go back to the enforcer. */
  private long takeUp(long slots) {
    while (true) {
      long wanted = toReturn.get();
      long back = Math.min(wanted, slots);
      if (back <= 0) {
        return 0;
      }
      if (toReturn.compareAndSet(wanted, wanted - back)) {
        return back;
      }
    }
  }

  /**
   * An answer says how many slots of the cell the enforcer would leave to this instance.
   *
   * @param grantedToKeep fewer than were granted where others lack them
   * @param echoNanos when the report was sent that it answers
   */
  void keep(long grantedToKeep, long echoNanos) {
    long excess = Math.max(0, grantedByEnforcer() - grantedToKeep);
    if (excess == 0) {
      toReturn.set(0);
      return;
    }
    long since = givenBackInAll() - returned.when(echoNanos);
    long left = Math.max(0, excess - Math.max(0, since));
    toReturn.set(Math.max(0, left - giveBack(left)));
  }

  /** Notes that a report leaves. */
  void reported(long now) {
    returned.note(now, givenBackInAll());
  }

  private long givenBackInAll() {
    return counter().givenBack() + counter().refunded();
  }

  /** Slots that requests hold. */
  long running() {
    return Math.max(0, used());
  }

  @Override
  boolean isClosable(long closeBefore) {
    return super.isClosable(closeBefore) && used() <= 0;
  }

  /** A request that was held up may have taken a slot at the last moment: then it stays open. */
  @Override
  void close() {
    counter().finish(end());
    if (used() <= 0) {
      closed();
    }
  }

  /** Slots that had been given back when the newest reports left. */
  private static final class Returned {
    /** Reports remembered: more than are ever under way for a key. */
    private static final int KEPT = 8;

    private final long[] sentNanos = new long[KEPT];
    private final long[] slots = new long[KEPT];
    private int next;

    void note(long now, long givenBack) {
      sentNanos[next % KEPT] = now;
      slots[next % KEPT] = givenBack;
      next++;
    }

    /** The least that it may have been, of a report that is not remembered. */
    long when(long sent) {
      for (int i = 0; i < Math.min(next, KEPT); i++) {
        if (sentNanos[i] == sent) {
          return slots[i];
        }
      }
      return 0;
    }
  }
}
