package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.RenewalTerms;
import java.math.BigInteger;

/**
 * Permits that come back when the slot in which they were taken is over for so long: of a sliding
 * log, of sub-windows, and of a sliding counter, whose last slot fades. What counts as used is
 * rounded up, since rounded down in each of many shares it would be too little in all.
 *
 * @param permits most that count at a time
 * @param counted slots that count in full, the current one among them
 * @param fadingNanos time in which the slot before those fades; 0 where none does
 */
record SlidingRenewal(
    long startNanos, long permits, int counted, long fadingNanos, SlotCounts slots)
    implements Renewal {
  /** Where the last slot fades: clock readings may be late by as many slots. */
  private static final int FADING_KEPT = 3;

  /** With nothing used. */
  static SlidingRenewal of(
      RenewalTerms.Slots terms, long permits, long borderNanos, long net, long now) {
    long slot = terms.slotNanos();
    int kept = terms.fades() ? FADING_KEPT : 2 * terms.counted();
    return new SlidingRenewal(
        now,
        permits,
        terms.counted(),
        terms.fades() ? slot : 0,
        SlotCounts.none(borderNanos, slot, kept, net, now));
  }

  @Override
  public SlidingRenewal after(Renewal before, long net) {
    return before instanceof SlidingRenewal other
        ? new SlidingRenewal(startNanos, permits, counted, fadingNanos, other.slots.less(STOP))
        : this;
  }

  @Override
  public SlidingRenewal putOff(long nanos) {
    return new SlidingRenewal(startNanos, permits, counted, fadingNanos, slots.putOff(nanos));
  }

  @Override
  public boolean holds(long cost) {
    return cost <= permits;
  }

  @Override
  public boolean admits(long cost, long net, long now) {
    return cost <= permits - used(slots.turn(net, now), net, now);
  }

  @Override
  public long room(long net, long now) {
    return Math.max(0, permits - used(net, now));
  }

  @Override
  public long used(long net, long now) {
    return used(slots.at(net, now), net, now);
  }

  /**
   * The permits that count as used at a clock reading. A reading from before the current slot
   * counts slots that are older by as much; one beyond what is known leaves no room.
   */
  private long used(SlotCounts.At at, long net, long now) {
    int late = slots.late(at, now);
    boolean fades = fadingNanos > 0;
    int inFull = counted - 1 + late;
    if (late > at.kept() || inFull + (fades ? 1 : 0) > at.kept()) {
      return Long.MAX_VALUE / 2;
    }
    long used = at.current(net) + at.newest(inFull);
    return fades
        ? used + faded(at.closed(inFull + 1), at.startNanos() - late * fadingNanos, now)
        : used;
  }

  private long faded(long count, long startNanos, long now) {
    long left = fadingNanos - Math.max(0, Math.min(fadingNanos, now - startNanos));
    return mulDivUp(count, left, fadingNanos);
  }

  @Override
  public long nanosUntil(long cost, long net, long now) {
    SlotCounts.At at = slots.at(net, now);
    long room = permits - cost;
    if (used(at, net, Math.max(now, at.startNanos())) <= room) {
      return Math.max(0, at.startNanos() - now);
    }
    return fadingNanos > 0 ? untilFaded(at, net, room, now) : untilGone(at, net, room, now);
  }

  /** The first border after which what is left fits beside the cost. */
  private long untilGone(SlotCounts.At at, long net, long room, long now) {
    int borders = 1;
    while (borders < counted && at.current(net) + at.newest(counted - 1 - borders) > room) {
      borders++;
    }
    return at.startNanos() + borders * slots.slotNanos() - now;
  }

  /** In this window or the next one. */
  private long untilFaded(SlotCounts.At at, long net, long room, long now) {
    long current = at.current(net);
    long end = at.startNanos() + fadingNanos;
    boolean inThis = current <= room;
    long fading = inThis ? at.closed(1) : current;
    long most = inThis ? room - current : room;
    long left = fading <= most ? fadingNanos : mulDiv(most, fadingNanos, fading);
    return Math.max(0, (inThis ? end : end + fadingNanos) - left - now);
  }

  /** Slots note what comes back; the share's count only grows. */
  @Override
  public long putBack(long cost, long takenNanos) {
    slots.putBack(cost, takenNanos);
    return 0;
  }

  @Override
  public long takeableAgain(long cost, long takenNanos, long now) {
    return putBack(cost, takenNanos);
  }

  private static long mulDiv(long a, long b, long c) {
    return fits(a, b) ? a * b / c : product(a, b).divide(BigInteger.valueOf(c)).longValueExact();
  }

  private static long mulDivUp(long a, long b, long c) {
    return fits(a, b)
        ? -Math.floorDiv(-(a * b), c)
        : product(a, b)
            .add(BigInteger.valueOf(c - 1))
            .divide(BigInteger.valueOf(c))
            .longValueExact();
  }

  private static boolean fits(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0;
  }

  private static BigInteger product(long a, long b) {
    return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
  }
}
