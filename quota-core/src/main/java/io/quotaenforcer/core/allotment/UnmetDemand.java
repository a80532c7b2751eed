package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.message.Need;
import io.quotaenforcer.core.message.RequestCost;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Permits that were asked for and not there: those that requests wait for, here or in a queue,
 * those that are owed, and those of the costliest refused request. {@link #await}, {@link #queue},
 * {@link #owe}, {@link #debt} and {@link #refuse} may be called by any thread.
 */
final class UnmetDemand {
  /** For keys that always had what was asked for: nothing is ever counted in it. */
  static final UnmetDemand NONE = new UnmetDemand(0);

  private final long keptNanos;
  private final AtomicLong awaiting = new AtomicLong();
  private final AtomicLong queued = new AtomicLong();
  private final AtomicLong costliestAwaited = new AtomicLong();
  private final AtomicLong awaitedChanges = new AtomicLong();
  private final AtomicLong largestRefused = new AtomicLong();
  private final AtomicLong impossible = new AtomicLong();
  private final AtomicLong borrowed = new AtomicLong();
  private final AtomicLong refusedSlots = new AtomicLong();
  private final AtomicInteger lined = new AtomicInteger();
  private final Debt debt = new Debt();
  private volatile boolean callersWait;
  private long refusedLately;
  private long refusedUntilNanos = Long.MIN_VALUE;
  private long usedWhenRefused;

  /**
   * @param keptNanos how long permits for a refused request are kept, so that it finds them when it
   *     comes again
   */
  UnmetDemand(long keptNanos) {
    this.keptNanos = keptNanos;
  }

  /** Counts permits that a request waits for; a negative number when it waits no longer. */
  void await(long permits) {
    callersWait |= permits > 0;
    if (permits > 1) {
      costliestAwaited.accumulateAndGet(permits, Math::max);
    }
    if (awaiting.addAndGet(permits) <= 0) {
      costliestAwaited.set(0);
    }
    awaitedChanges.incrementAndGet();
  }

  /** Says how many permits the requests in a queue wait for. */
  void queue(long permits) {
    if (queued.getAndSet(permits) != permits) {
      awaitedChanges.incrementAndGet();
    }
  }

  /** Counts permits that are to be taken for requests that are done. */
  void owe(long permits) {
    debt.add(permits);
    awaitedChanges.incrementAndGet();
  }

  Debt debt() {
    return debt;
  }

  /** Refused permits of requests that the limit never has room for. */
  long impossible() {
    return impossible.get();
  }

  /** Counts permits that were refused; more than the {@code capacity} are not asked for. */
  void refuse(long permits, long capacity) {
    if (permits > capacity) {
      impossible.accumulateAndGet(permits, PermitCount::plus);
    } else if (permits > 1) {
      largestRefused.accumulateAndGet(permits, Math::max);
    }
  }

  /** Counts permits that were not there, and borrowed. */
  void borrow(long permits) {
    if (borrowed.get() < PermitCount.MAX_SUM) {
      borrowed.getAndAdd(permits);
    }
  }

  /** Permits that were not there and borrowed; only grows. */
  long borrowed() {
    return borrowed.get();
  }

  /** Whether a costly request was refused that no report has told of. */
  boolean hasRefused() {
    return largestRefused.get() > 0;
  }

  /** Counts slots that were refused. */
  void refuseSlots(long slots) {
    refusedSlots.accumulateAndGet(slots, PermitCount::plus);
  }

  /** Counts a request that waits for its turn; -1 when it waits no longer. */
  void line(int one) {
    lined.addAndGet(one);
  }

  /** Requests that wait for their turn. */
  int lined() {
    return lined.get();
  }

  /** Slots that were refused since the last call. */
  long takeRefusedSlots() {
    return refusedSlots.get() == 0 ? 0 : refusedSlots.getAndSet(0);
  }

  /** Permits that requests wait for outside a queue: they were asked for just now. */
  long awaiting() {
    return awaiting.get();
  }

  /** A request was refused, at once or after its wait. */
  void callerDoesNotWait() {
    // Most never waited: what nobody changes, no thread waits for.
    if (callersWait) {
      callersWait = false;
    }
  }

  /** Whether the last request without permits waited for them, and has not been refused. */
  boolean callersWait() {
    return callersWait;
  }

  boolean isAwaited() {
    return awaiting.get() > 0 || isQueued();
  }

  /** Whether permits are taken little by little as they come: for a queue, or for what is owed. */
  boolean isQueued() {
    return queued.get() > 0 || debt.owed() > 0;
  }

  /** Grows with whatever there is to report of waiting requests. */
  long changes() {
    return awaitedChanges.get();
  }

  /**
   * Permits to ask the enforcer for now. A refused request is asked for once; but again and again
   * if the share can never hold it, since leases for it are few and come late, and where permits
   * are scarce, until it finds them: others wait for their turn, too.
   *
   * @param used permits that were used in all
   * @param capacity no more of what is owed is asked for at once
   */
  Need toReport(@Nullable ShareCell share, boolean isScarce, long used, long capacity, long now) {
    long refused = largestRefused.getAndSet(0);
    if (refused > 0) {
      refusedLately = refused;
      refusedUntilNanos = now + keptNanos;
      usedWhenRefused = used;
    }
    boolean again =
        share != null && isRefusedLately(share, now)
            || isScarce && now < refusedUntilNanos && used - usedWhenRefused < refusedLately;
    long wanted = again ? refusedLately : refused;
    long costliest = Math.max(costliestAwaited.get(), wanted);
    return new Need(
        Math.max(awaited(capacity), wanted),
        costliest <= capacity ? costliest : 0,
        RequestCost.ONE);
  }

  /**
   * Permits for requests that the share never holds, which wait or were refused lately. Those of
   * others that wait beside them count too: which is served first is not known.
   */
  long costlyFor(ShareCell share, long now) {
    long waited = share.holds(costliestAwaited.get()) ? 0 : awaiting.get();
    return PermitCount.plus(waited, isRefusedLately(share, now) ? refusedLately : 0);
  }

  private boolean isRefusedLately(ShareCell share, long now) {
    return now < refusedUntilNanos && !share.holds(refusedLately);
  }

  /** Permits that are not to be given back. */
  long toKeep(long capacity, long now) {
    return awaited(capacity) + (now < refusedUntilNanos ? refusedLately : 0);
  }

  /**
   * Permits of a lease that are not to be given back while a share brings enough. A queue has its
   * share of all that the bucket holds once it leases nothing of it.
   */
  long toKeepBesideShare(long capacity, long now) {
    return Math.max(0, toKeep(capacity, now) - queued.get());
  }

  private long awaited(long capacity) {
    long inQueue = PermitCount.plus(queued.get(), Math.min(debt.owed(), capacity));
    return PermitCount.reported(PermitCount.plus(awaiting.get(), inQueue));
  }
}
