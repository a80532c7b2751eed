package io.quotaenforcer.core.algorithm;

import java.util.Objects;
import java.util.Optional;

/**
 * A bucket of {@code capacity} tokens, refilled continuously at {@code permits} per period; a
 * request takes its cost in tokens.
 *
 * <p>Counted in integer units of a token so that no rounding accumulates: with the ratio permits /
 * period reduced to lowest terms {@code p / q}, one token is {@code q} units and each nanosecond
 * adds {@code p}.
 */
public final class TokenBucket implements Bucket<TokenBucket> {
  private static final long MILLIS = 1_000;

  /**
   * The contents of the bucket.
   *
   * @param parts units
   * @param lentPermits permits per period of what is {@linkplain TokenBucket#lend lent}
   * @param lentMillis capacity of that, in thousandths of a permit
   */
  public record State(
      long refilledNanos, long parts, long forgottenNanos, long lentPermits, long lentMillis)
      implements Level {
    @Override
    public State with(long newParts, long newForgottenNanos) {
      return new State(refilledNanos, newParts, newForgottenNanos, lentPermits, lentMillis);
    }

    private State at(long newRefilledNanos, long newParts, long newForgottenNanos) {
      return new State(newRefilledNanos, newParts, newForgottenNanos, lentPermits, lentMillis);
    }
  }

  private final long permits;
  private final long periodNanos;
  private final long capacity;
  private final long initialPermits;

  /** {@code q}. */
  private final long unitsPerToken;

  /** {@code p}. */
  private final long unitsPerNano;

  /**
   * A bucket.
   *
   * @param permits tokens that come per period
   * @param capacity most tokens that the bucket holds
   * @param initialPermits tokens that it holds at first
   */
  public TokenBucket(long permits, long periodNanos, long capacity, long initialPermits) {
    Limits.check(permits, periodNanos);
    Limits.checkBucket(permits, capacity, initialPermits);
    long most = mostCapacity(permits, periodNanos);
    if (capacity > most) {
      throw new IllegalArgumentException(
          "must be <= " + most + " for this rate: burst=" + capacity);
    }
    this.permits = permits;
    this.periodNanos = periodNanos;
    this.capacity = capacity;
    this.initialPermits = initialPermits;
    long divisor = Limits.greatestCommonDivisor(permits, periodNanos);
    this.unitsPerToken = periodNanos / divisor;
    this.unitsPerNano = permits / divisor;
  }

  /** A bucket that is full at first. */
  public TokenBucket(long permits, long periodNanos, long capacity) {
    this(permits, periodNanos, capacity, capacity);
  }

  @Override
  public long permits() {
    return permits;
  }

  @Override
  public long periodNanos() {
    return periodNanos;
  }

  @Override
  public long capacity() {
    return capacity;
  }

  /** Tokens that the bucket holds at first. */
  public long initialPermits() {
    return initialPermits;
  }

  /** Most tokens that can be counted at a rate. */
  static long mostCapacity(long permits, long periodNanos) {
    return Long.MAX_VALUE / 4 / (periodNanos / Limits.greatestCommonDivisor(permits, periodNanos));
  }

  /** A limit that is kept as such a bucket, and can be divided into rate shares. */
  public static Optional<TokenBucket> in(Limit limit) {
    if (limit instanceof LeakyBucket leaky) {
      return Optional.of(leaky.bucket());
    }
    return limit instanceof TokenBucket bucket ? Optional.of(bucket) : Optional.empty();
  }

  @Override
  public State initial(long now) {
    return new State(now, initialPermits * unitsPerToken, Long.MIN_VALUE, 0, 0);
  }

  @Override
  public State advance(LimitState state, long now) {
    State before = (State) state;
    return now <= before.refilledNanos
        ? before
        : before.at(now, unitsAt(before, now), before.forgottenNanos);
  }

  /**
   * Sets apart a part of the bucket for others, who refill and spend it by themselves: what is left
   * refills at the rest of the rate, and holds no more than the rest of the capacity. By the
   * superposition of buckets (Le Boudec and Thiran, Network Calculus, 1.2) both together never let
   * through more than the whole one. Comes in place of what was lent before.
   *
   * @param lentPermits permits per period
   * @param lentMillis capacity in thousandths of a permit
   */
  @Override
  public LimitState lend(LimitState state, long lentPermits, long lentMillis, long now) {
    State filled = advance(state, now);
    if (filled.lentPermits == lentPermits && filled.lentMillis == lentMillis) {
      return filled;
    }
    // What ran over because less fits in must not come back by taking back an earlier booking.
    boolean isMore = lentMillis > filled.lentMillis;
    long forgotten = isMore ? filled.refilledNanos : filled.forgottenNanos;
    long units = Math.min(filled.parts, fullUnits(lentMillis));
    return new State(filled.refilledNanos, units, forgotten, lentPermits, lentMillis);
  }

  @Override
  public long available(LimitState state, long at) {
    return Math.floorDiv(unitsAt((State) state, at), unitsPerToken);
  }

  /** As if nothing were lent, and the next token about to be whole. */
  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    if (at <= knownAt || known >= capacity) {
      return known;
    }
    long missing = Limits.mulDiv(capacity - known, unitsPerToken, unitsPerNano);
    return at - knownAt > missing
        ? capacity
        : Math.min(capacity, known + 1 + Limits.mulDiv(at - knownAt, unitsPerNano, unitsPerToken));
  }

  @Override
  public LimitState book(LimitState state, long used, long at) {
    State filled = advance(state, at);
    return Bucket.booked(filled, used, capacity, unitsPerToken, filled.refilledNanos);
  }

  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    State before = (State) state;
    if (!mayUnbook(before, at)) {
      return before;
    }
    long taken = Bucket.taken(unused, capacity, unitsPerToken);
    long elapsed = Math.max(0, before.refilledNanos - at);
    long refilled = elapsed >= ceilDiv(taken, unitsPerNano) ? taken : elapsed * unitsPerNano;
    return Bucket.unbooked(before, taken, refilled, fullUnits(before.lentMillis));
  }

  @Override
  public LimitState putIn(LimitState state, long tokens) {
    State before = (State) state;
    long room = Math.max(0, fullUnits(before.lentMillis) - before.parts);
    long units = Math.min(tokens, 2 * capacity) * unitsPerToken;
    return before.with(before.parts + Math.min(room, units), before.forgottenNanos);
  }

  /** Permits missing from what is not lent. */
  @Override
  public long used(LimitState state, long now) {
    State level = (State) state;
    return ceilDiv(fullUnits(level.lentMillis) - unitsAt(level, now), unitsPerToken);
  }

  /** As if what is lent came back now. */
  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    return wanted > capacity
        ? Long.MAX_VALUE
        : whenUnits((State) state, wanted * unitsPerToken, now);
  }

  /** Covers only the part that is not lent, as if that part refilled at the whole rate. */
  @Override
  public long resetAt(LimitState state, long now) {
    State level = (State) state;
    return whenUnits(level, fullUnits(level.lentMillis), now);
  }

  @Override
  public boolean isDivisible() {
    return true;
  }

  /**
   * Keeps the deficit of the old bucket. Permits that were booked in the old one can no longer be
   * taken back, as their refill is unknown.
   */
  @Override
  public LimitState convert(LimitState state, Limit from, long now) {
    State before = (State) state;
    long used = Math.min(from.used(before, now), 2 * capacity);
    long time = Math.max(now, before.refilledNanos);
    long units = fullUnits(before.lentMillis) - used * unitsPerToken;
    return before.at(time, Math.max(units, -capacity * unitsPerToken), time);
  }

  @Override
  public long mostCapacity(long ofPermits) {
    return mostCapacity(ofPermits, periodNanos);
  }

  @Override
  public TokenBucket withCapacity(long newPermits, long newCapacity, long newInitialPermits) {
    return new TokenBucket(newPermits, periodNanos, newCapacity, newInitialPermits);
  }

  private long whenUnits(State state, long wantedUnits, long now) {
    long missing = wantedUnits - unitsAt(state, now);
    return missing <= 0 ? now : Math.max(now, state.refilledNanos) + ceilDiv(missing, unitsPerNano);
  }

  private long unitsAt(State state, long at) {
    long full = fullUnits(state.lentMillis);
    long missing = full - state.parts;
    long elapsed = Math.max(0, at - state.refilledNanos);
    if (state.lentPermits > 0) {
      return state.parts + Math.min(missing, unitsBeside(state.lentPermits, elapsed));
    }
    return elapsed >= ceilDiv(missing, unitsPerNano) ? full : state.parts + elapsed * unitsPerNano;
  }

  /** Units that come beside what is lent; rounded down. */
  private long unitsBeside(long lent, long elapsed) {
    long atWholeRate =
        elapsed > Long.MAX_VALUE / unitsPerNano ? Long.MAX_VALUE : elapsed * unitsPerNano;
    return Limits.mulDiv(atWholeRate, Math.max(0, permits - lent), permits);
  }

  /** Units in the bucket when nothing but what is lent is missing; negative when too much is. */
  private long fullUnits(long lentMillis) {
    long whole = Math.min(lentMillis / MILLIS, 2 * capacity);
    long rest = lentMillis % MILLIS * (unitsPerToken / MILLIS + 1);
    return (capacity - whole) * unitsPerToken - (rest == 0 ? 0 : Math.min(rest, unitsPerToken));
  }

  private static long ceilDiv(long a, long b) {
    return -Math.floorDiv(-a, b);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TokenBucket that
        && permits == that.permits
        && periodNanos == that.periodNanos
        && capacity == that.capacity
        && initialPermits == that.initialPermits;
  }

  @Override
  public int hashCode() {
    return Objects.hash(permits, periodNanos, capacity, initialPermits);
  }

  @Override
  public String toString() {
    return "TokenBucket[permits=%d, periodNanos=%d, capacity=%d, initialPermits=%d]"
        .formatted(permits, periodNanos, capacity, initialPermits);
  }
}
