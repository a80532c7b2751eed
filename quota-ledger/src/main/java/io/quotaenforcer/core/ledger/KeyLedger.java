package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import java.util.List;

/**
 * All that the enforcer knows of one quota key. Immutable.
 *
 * @param trust how far instances may admit by their own count
 * @param penalty what the key was throttled lately, and what this brought
 * @param headrooms permits set aside to be granted before the next commit, at most one of a window
 */
public record KeyLedger(
    Counting counting,
    KeyTimes times,
    Trust trust,
    PenaltyState penalty,
    List<Headroom> headrooms,
    List<Holder> holders) {

  /** For a key that was not throttled. */
  public KeyLedger(
      Counting counting,
      KeyTimes times,
      Trust trust,
      List<Headroom> headrooms,
      List<Holder> holders) {
    this(counting, times, trust, PenaltyState.NONE, headrooms, holders);
  }

  public KeyLedger {
    headrooms = List.copyOf(headrooms);
    holders = List.copyOf(holders);
  }

  /** The ledger of a key that nobody has used. */
  public static KeyLedger first(long generation, Limit limit, long tenure, long now) {
    return new KeyLedger(
        new Counting(generation, limit, limit.initial(now), StateClock.ENFORCER),
        new KeyTimes(now, 0, 0, tenure),
        Trust.WHOLE,
        List.of(),
        List.of());
  }

  public long generation() {
    return counting.generation();
  }

  public Limit limit() {
    return counting.limit();
  }

  public LimitState state() {
    return counting.state();
  }

  public StateClock clock() {
    return counting.clock();
  }

  public long timeNanos() {
    return times.timeNanos();
  }

  public long grantableFromNanos() {
    return times.grantableFromNanos();
  }

  public long exhaustedUntilNanos() {
    return times.exhaustedUntilNanos();
  }

  public long tenure() {
    return times.tenure();
  }

  /** This ledger without penalty, and without what would bring the next one. */
  KeyLedger withPenaltyLifted(long now) {
    return new KeyLedger(
        counting,
        new KeyTimes(timeNanos(), grantableFromNanos(), 0, tenure()),
        trust,
        penalty.lifted(now),
        headrooms,
        holders);
  }

  /** This ledger in the hands of a successor. */
  KeyLedger takenOver(
      long newTenure,
      LimitState newState,
      StateClock newClock,
      long newGrantableFrom,
      List<Headroom> newHeadrooms,
      List<Holder> newHolders) {
    return new KeyLedger(
        new Counting(generation(), limit(), newState, newClock),
        new KeyTimes(timeNanos(), newGrantableFrom, exhaustedUntilNanos(), newTenure),
        trust,
        penalty,
        newHeadrooms,
        newHolders);
  }

  /** This ledger with a state that is kept by enforcer time from now on. */
  KeyLedger onEnforcerTime(LimitState newState, List<Holder> newHolders) {
    return takenOver(
        tenure(), newState, StateClock.ENFORCER, grantableFromNanos(), headrooms, newHolders);
  }

  /**
   * Permits that holders of this generation may still take and that {@code state} has not booked.
   */
  public long outstanding(long now) {
    long window = limit().windowStart(Math.max(now, timeNanos()));
    long sum = 0;
    for (Holder holder : holders) {
      if (holder.generation() == generation()) {
        sum += holder.outstanding(limit(), window);
      }
    }
    return sum;
  }

  /** Whether holders may take permits by rate shares. */
  public boolean hasShares() {
    return lastShareEnds() > Long.MIN_VALUE;
  }

  private long lastShareEnds() {
    long last = Long.MIN_VALUE;
    for (Holder holder : holders) {
      if (holder.generation() == generation() && holder.cells().hasShareInUse()) {
        for (LedgerCell cell : holder.cells()) {
          last = cell.isShareInUse() ? Math.max(last, cell.validUntilNanos()) : last;
        }
      }
    }
    return last;
  }

  /** Permits that nobody has used or holds; negative when more was used than allowed. */
  public long available(long now) {
    long lent = Lent.of(holders, generation()).permits();
    return limit().availableBeside(state(), lent, stateTime(now))
        - outstanding(Math.max(now, timeNanos()));
  }

  /** Permits booked in the current window, or missing from a full bucket. */
  public long used(long now) {
    long booked = limit().used(state(), stateTime(now));
    if (limit().isBucket()) {
      return booked;
    }
    long window = limit().windowStart(Math.max(now, timeNanos()));
    for (Holder holder : holders) {
      boolean shares = holder.generation() == generation() && holder.cells().hasShareInUse();
      if (shares && limit() instanceof WindowedLimit) {
        booked += WindowShares.usedIn(holder, window);
      } else if (shares) {
        booked += usedOfShare(holder);
      }
    }
    return booked;
  }

  /** As its holder named it last. */
  private static long usedOfShare(Holder holder) {
    long used = 0;
    for (LedgerCell cell : holder.cells()) {
      long named = cell.usage().share().used();
      used += cell.isShareInUse() ? Math.max(0, Math.min(named, cell.share().permits())) : 0;
    }
    return used;
  }

  /** Enforcer time at which the quota is whole again, or its window ends. */
  public long resetAt(long now) {
    return clock().toEnforcer(limit().resetAt(state(), stateTime(now)));
  }

  /** Enforcer time from which this ledger says nothing that a first one would not say too. */
  public long forgettableFrom(long retentionNanos) {
    Account spent = Account.of(limit(), state(), clock(), timeNanos());
    long from =
        Math.max(
            Math.max(trust.forgettableFrom(limit()), penalty.forgettableFrom()),
            Math.max(exhaustedUntilNanos(), grantableFromNanos()));
    for (Holder holder : holders) {
      if (holder.generation() == generation()) {
        spent.spendAll(holder);
      }
      from = Math.max(from, holder.forgettableFrom(retentionNanos));
      if (limit() instanceof ConcurrencyLimit) {
        for (LedgerCell cell : holder.cells()) {
          from = Math.max(from, SlotAccount.freeFrom(limit(), holder, cell));
        }
      }
    }
    // What is lent is to come back first, and empty.
    long time = hasShares() ? Math.max(timeNanos(), lastShareEnds()) : timeNanos();
    long reset =
        Math.max(
            limit().forgettableAt(spent.state(), stateTime(time)),
            hasShares() ? refilled(time) : 0);
    return Math.max(from, clock().toEnforcer(reset));
  }

  /** When a bucket is full that is empty at a time. */
  private long refilled(long time) {
    long at = stateTime(time);
    LimitState empty = limit().book(limit().initial(at), limit().capacity(), at);
    return limit().availableAt(empty, limit().capacity(), at);
  }

  private long stateTime(long now) {
    return clock().at(Math.max(now, timeNanos()));
  }
}
