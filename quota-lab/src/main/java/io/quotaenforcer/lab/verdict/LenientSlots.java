package io.quotaenforcer.lab.verdict;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Use of a limit whose permits come back at borders, by holders of parts of it. Each of them keeps
 * to the borders as it knows them, within a tolerance: what was used near a border may count in the
 * slot before it as well as in the one after it. Times do not run backwards. One thread at a time.
 */
public final class LenientSlots implements KeyUse {
  /** The enforcer's own part of a fading count is rounded down. */
  private static final double ROUNDED = 1;

  private final long permits;
  private final long slotNanos;
  private final long inFullNanos;
  private final boolean fades;
  private final long toleranceNanos;
  private final Deque<Use> inFull = new ArrayDeque<>();
  private final Deque<Use> fading = new ArrayDeque<>();
  private long usedInFull;

  private record Use(long untilNanos, long cost) {}

  private LenientSlots(
      long permits, long slotNanos, long inFullNanos, boolean fades, long toleranceNanos) {
    this.permits = permits;
    this.slotNanos = slotNanos;
    this.inFullNanos = inFullNanos;
    this.fades = fades;
    this.toleranceNanos = toleranceNanos;
  }

  /** For a sliding window: a use fades for a period once its own window is over. */
  public static LenientSlots slidingWindow(long permits, long periodNanos, long toleranceNanos) {
    return new LenientSlots(permits, periodNanos, 0, true, toleranceNanos);
  }

  /** For sub-windows: a use counts in full for all of them from its own on. */
  public static LenientSlots subWindows(
      long permits, long periodNanos, int slots, long toleranceNanos) {
    long slotNanos = periodNanos / slots;
    return new LenientSlots(permits, slotNanos, (slots - 1) * slotNanos, false, toleranceNanos);
  }

  @Override
  public boolean take(long cost, long atNanos) {
    forget(atNanos);
    double used = usedInFull;
    for (Use use : fading) {
      used += (double) use.cost * (use.untilNanos - atNanos) / slotNanos;
    }
    if (used + cost > permits + (fades ? ROUNDED : 0)) {
      return false;
    }
    add(new Use(earliestEnd(atNanos) + inFullNanos, cost), atNanos);
    return true;
  }

  private void forget(long atNanos) {
    while (!inFull.isEmpty() && inFull.getFirst().untilNanos <= atNanos) {
      Use over = inFull.removeFirst();
      usedInFull -= over.cost;
      if (fades) {
        fading.addLast(new Use(over.untilNanos + slotNanos, over.cost));
      }
    }
    while (!fading.isEmpty() && fading.getFirst().untilNanos <= atNanos) {
      fading.removeFirst();
    }
  }

  private void add(Use use, long atNanos) {
    Use last = inFull.peekLast();
    boolean merges = last != null && last.untilNanos == use.untilNanos;
    if (merges) {
      inFull.removeLast();
    }
    inFull.addLast(merges ? new Use(use.untilNanos, last.cost + use.cost) : use);
    usedInFull += use.cost;
    forget(atNanos);
  }

  /** When at the soonest the slot may end in which something was used. */
  private long earliestEnd(long atNanos) {
    long into = Math.floorMod(atNanos, slotNanos);
    boolean isNearBorder = into < toleranceNanos || slotNanos - into <= toleranceNanos;
    return isNearBorder ? atNanos : atNanos - into + slotNanos - toleranceNanos;
  }
}
