package io.quotaenforcer.core.allotment;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How much of a share was taken in which slot of time, where slots follow each other without a gap
 * and permits come back at their borders. Safe for use by any thread.
 *
 * <p>What is taken is counted by the share, in one number that a compare-and-set moves. Here is
 * only what that number was at the last border, and what was taken in the slots before. The first
 * decision after a border moves on, before it takes anything; so whatever is taken is counted in
 * the slot of its clock reading, or in a later one by a thread that is late with an older reading.
 * That may count for longer than it must, and never shorter.
 */
final class SlotCounts {
  private final long slotNanos;
  private final AtomicReference<At> newest;

  /**
   * Permits taken until the current slot began, and in the slots before.
   *
   * @param startNanos of the current slot
   * @param base what was taken until then, and what was put back since
   * @param closed permits of the slots before, newest first; may not be changed
   */
  record At(long startNanos, long base, long[] closed) {
    /** Permits of the current slot. */
    long current(long net) {
      return net - base;
    }

    /** Permits of the slot {@code age} slots before the current one. */
    long closed(int age) {
      return closed[age - 1];
    }

    /** Permits of the newest {@code slots} slots that are over. */
    long newest(int slots) {
      long sum = 0;
      for (int i = 0; i < slots; i++) {
        sum += closed[i];
      }
      return sum;
    }

    int kept() {
      return closed.length;
    }

    private At turned(long startsNanos, long slotNanos, long net) {
      int turns = (int) Math.min(kept() + 1L, (startsNanos - startNanos) / slotNanos);
      long[] counts = new long[kept()];
      System.arraycopy(closed, 0, counts, Math.min(turns, kept()), Math.max(0, kept() - turns));
      if (turns <= kept()) {
        counts[turns - 1] = current(net);
      }
      return new At(startsNanos, net, counts);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof At that
          && startNanos == that.startNanos
          && base == that.base
          && Arrays.equals(closed, that.closed);
    }

    @Override
    public int hashCode() {
      return Objects.hash(startNanos, base, Arrays.hashCode(closed));
    }
  }

  private SlotCounts(long slotNanos, At first) {
    this.slotNanos = slotNanos;
    this.newest = new AtomicReference<>(first);
  }

  /**
   * Counts of a share that nothing was taken of.
   *
   * @param borderNanos of any slot
   * @param kept slots that are over and still counted
   */
  static SlotCounts none(long borderNanos, long slotNanos, int kept, long net, long now) {
    long start = borderNanos + Math.floorDiv(now - borderNanos, slotNanos) * slotNanos;
    return new SlotCounts(slotNanos, new At(start, net, new long[kept]));
  }

  long slotNanos() {
    return slotNanos;
  }

  /** The same, for another renewal, with less in the current slot. */
  SlotCounts less(long permits) {
    At at = newest();
    return new SlotCounts(slotNanos, new At(at.startNanos, at.base + permits, at.closed));
  }

  /** The same, with later borders. */
  SlotCounts putOff(long nanos) {
    At at = newest();
    return new SlotCounts(slotNanos, new At(at.startNanos + nanos, at.base, at.closed));
  }

  /** Moves on to the slot of a clock reading. */
  At turn(long net, long now) {
    while (true) {
      At before = newest();
      if (now - before.startNanos < slotNanos
          || newest.compareAndSet(before, turned(before, net, now))) {
        return newest();
      }
    }
  }

  /** As after {@link #turn}, but nothing moves. */
  At at(long net, long now) {
    At at = newest();
    return now - at.startNanos < slotNanos ? at : turned(at, net, now);
  }

  private At turned(At at, long net, long now) {
    long slots = Math.floorDiv(now - at.startNanos, slotNanos);
    return at.turned(at.startNanos + slots * slotNanos, slotNanos, net);
  }

  /** How many slots a clock reading is older than the current one. */
  int late(At at, long now) {
    long late = -Math.floorDiv(now - at.startNanos, slotNanos);
    return (int) Math.max(0, Math.min(late, Integer.MAX_VALUE));
  }

  /**
   * Uncounts permits that were not used after all, if they were taken in the current slot: else
   * they would free room in a slot that they were not taken in.
   */
  void putBack(long permits, long takenNanos) {
    At before = newest();
    while (takenNanos >= before.startNanos
        && !newest.compareAndSet(
            before, new At(before.startNanos, before.base + permits, before.closed))) {
      before = newest();
    }
  }

  private At newest() {
    return Objects.requireNonNull(newest.get());
  }
}
