package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Standings;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The permits of one quota key of one rule, resolved once and taken many times by any thread. */
public final class KeyPermits {
  private final LiveKeys keys;
  private final Rule rule;
  private final QuotaKey quotaKey;
  private final int demandClass;

  /** The newest that this object knows of; racing threads may each look for a newer one. */
  private @Nullable KeyAllotment allotment;

  KeyPermits(LiveKeys keys, Rule rule, QuotaKey quotaKey, int demandClass) {
    this.keys = keys;
    this.rule = rule;
    this.quotaKey = quotaKey;
    this.demandClass = demandClass;
  }

  /** Takes all of {@code permits} or none; false when there is no room for them now. */
  public boolean tryAcquire(long permits, long now) {
    check(permits);
    KeyAllotment known = allotment;
    if (known != null) {
      Cell cell = takeOf(known, permits, now);
      if (cell != null || !known.isRetired()) {
        releaseSlots(known, cell, permits, now);
        return cell != null || known.terms().isShadow();
      }
    }
    return tryAcquireOfNewest(permits, now);
  }

  /** Like {@link #tryAcquire}, and says how the rule stands when it is asked. */
  public Decision decide(long permits, long now) {
    check(permits);
    LiveKeys.Taken taken = keys.take(rule, quotaKey, permits, demandClass, now, Refusal.COUNT);
    KeyAllotment from = taken.allotment();
    Cell cell = taken.cell();
    allotment = from;
    releaseSlots(from, cell, permits, now);
    return cell == null && !from.terms().isShadow()
        ? Charging.throttled(from, permits, demandClass, now)
        : Standings.admitted(at -> List.of(from.describe(cell, permits, demandClass, at)), now);
  }

  /** Takes permits that are spent already; without room for them, this instance owes them. */
  public void charge(long permits, long now) {
    check(permits);
    LiveKeys.Taken taken = keys.take(rule, quotaKey, permits, demandClass, now, Refusal.COUNT);
    allotment = taken.allotment();
    releaseSlots(taken.allotment(), taken.cell(), permits, now);
    if (taken.allotment().isOfSlots()) {
      return;
    }
    if (taken.cell() == null && !taken.allotment().terms().isShadow()) {
      keys.owe(taken.allotment(), permits, now);
    }
  }

  /** The result of {@link #tryAcquireCoarse}. */
  public enum Coarse {
    ADMITTED,
    THROTTLED,
    /** It takes a true clock reading. */
    NOT_DECIDED
  }

  /**
   * Like {@link #tryAcquire}, if the rule's bound leaves room for a clock reading that is some
   * milliseconds old: a balanced rule's does. The window of its permits may have ended by as much.
   */
  public Coarse tryAcquireCoarse(long permits, long coarseNanos) {
    check(permits);
    KeyAllotment known = allotment;
    if (known == null || !known.isBalanced()) {
      return Coarse.NOT_DECIDED;
    }
    boolean taken = keys.take(known, permits, demandClass, coarseNanos, Refusal.COUNT) != null;
    if (!taken && known.isRetired()) {
      return Coarse.NOT_DECIDED;
    }
    return taken || known.terms().isShadow() ? Coarse.ADMITTED : Coarse.THROTTLED;
  }

  /**
   * Takes slots of a concurrency limit, to be given back by {@link #leave}; of any other limit,
   * permits. Allocates nothing.
   *
   * @return where they are to be given back; null when there is no room for them now
   */
  public @Nullable HeldSlots enter(long slots, long now) {
    check(slots);
    KeyAllotment known = allotment;
    if (known == null || known.isRetired()) {
      LiveKeys.Taken taken = keys.take(rule, quotaKey, slots, demandClass, now, Refusal.COUNT);
      allotment = taken.allotment();
      return held(taken.allotment(), taken.cell());
    }
    return held(known, takeOf(known, slots, now));
  }

  /**
   * Gives back slots that a request held; to be called once for what was taken. Any thread. It
   * takes no clock reading, which costs more than the rest.
   *
   * @return whether requests wait for slots here, so that {@link #serve} is to be called
   */
  public boolean leave(HeldSlots held, long slots) {
    if (!(held instanceof SlotCell cell)) {
      return false;
    }
    cell.release(slots);
    KeyAllotment known = allotment;
    return known == null || known.isRetired() ? keys.released(quotaKey) : keys.released(known);
  }

  /** Has those served that wait for slots. */
  public void serve(long now) {
    keys.serve(quotaKey, now);
  }

  private static @Nullable HeldSlots held(KeyAllotment of, @Nullable Cell cell) {
    if (cell instanceof SlotCell slots) {
      return slots;
    }
    return cell != null || of.terms().isShadow() ? HeldSlots.NONE : null;
  }

  /** Others that wait come first. */
  private @Nullable Cell takeOf(KeyAllotment known, long permits, long now) {
    return known.hasLine()
        ? keys.refuse(known, permits, demandClass, now, Refusal.COUNT)
        : keys.take(known, permits, demandClass, now, Refusal.COUNT);
  }

  /** A request of which nobody says when it ends holds its slots no longer than it is decided. */
  private void releaseSlots(KeyAllotment of, @Nullable Cell cell, long permits, long now) {
    if (cell != null && of.isOfSlots()) {
      keys.release(of, cell, permits, now);
    }
  }

  private static void check(long permits) {
    PermitCount.checkCost("permits", permits);
  }

  private boolean tryAcquireOfNewest(long permits, long now) {
    LiveKeys.Taken taken = keys.take(rule, quotaKey, permits, demandClass, now, Refusal.COUNT);
    allotment = taken.allotment();
    releaseSlots(taken.allotment(), taken.cell(), permits, now);
    return taken.cell() != null || taken.allotment().terms().isShadow();
  }

  public QuotaKey quotaKey() {
    return quotaKey;
  }
}
