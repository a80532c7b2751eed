package io.quotaenforcer.core.algorithm;

/**
 * A bucket of {@code capacity} tokens, refilled continuously at {@code permits} per period; a
 * request takes its cost in tokens.
 *
 * <p>Counted in integer units of a token so that no rounding accumulates: with the ratio permits /
 * period reduced to lowest terms {@code p / q}, one token is {@code q} units and each nanosecond
 * adds {@code p}. State: time of the last refill, units in the bucket (negative when overdrawn),
 * time of the last booking that went below the deepest overdraft and was partly forgotten.
 */
public record TokenBucket(long permits, long periodNanos, long capacity) implements Limit {

  public TokenBucket {
    Limits.check(permits, periodNanos);
    if (permits < 1) {
      throw new IllegalArgumentException("must be >= 1 for a token bucket: permits=" + permits);
    }
    if (capacity < 1) {
      throw new IllegalArgumentException("must be >= 1: burst=" + capacity);
    }
    long unitsPerToken = periodNanos / Limits.greatestCommonDivisor(permits, periodNanos);
    if (capacity > Long.MAX_VALUE / 4 / unitsPerToken) {
      throw new IllegalArgumentException(
          "must be <= " + Long.MAX_VALUE / 4 / unitsPerToken + " for this rate: burst=" + capacity);
    }
  }

  @Override
  public LimitState initial(long now) {
    return LimitState.of(now, capacity * unitsPerToken(), Long.MIN_VALUE);
  }

  @Override
  public LimitState advance(LimitState state, long now) {
    return now <= state.word(0) ? state : LimitState.of(now, unitsAt(state, now), state.word(2));
  }

  @Override
  public long available(LimitState state, long at) {
    return Math.floorDiv(unitsAt(state, at), unitsPerToken());
  }

  /**
   * An overdraft deeper than a full bucket is forgotten: it could take for ever to repay. The floor
   * is the same for every level, so that a booking never leaves more than none would have.
   */
  @Override
  public LimitState book(LimitState state, long used, long at) {
    LimitState filled = advance(state, at);
    long room = filled.word(1) + capacity * unitsPerToken();
    return used <= room / unitsPerToken()
        ? LimitState.of(filled.word(0), filled.word(1) - used * unitsPerToken(), filled.word(2))
        : LimitState.of(filled.word(0), -capacity * unitsPerToken(), filled.word(0));
  }

  /**
   * Gives back less what was refilled since {@code at}, which might have run over without the
   * booking, and nothing that was booked before something was forgotten.
   */
  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    if (at <= state.word(2)) {
      return state;
    }
    long missing = capacity * unitsPerToken() - state.word(1);
    long taken = Math.min(unused, 2 * capacity) * unitsPerToken();
    long elapsed = Math.max(0, state.word(0) - at);
    long refilled = elapsed >= ceilDiv(taken, unitsPerNano()) ? taken : elapsed * unitsPerNano();
    return LimitState.of(
        state.word(0), state.word(1) + Math.min(missing, taken - refilled), state.word(2));
  }

  @Override
  public long used(LimitState state, long now) {
    return capacity - available(state, now);
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    return wanted > capacity ? Long.MAX_VALUE : whenUnits(state, wanted * unitsPerToken(), now);
  }

  @Override
  public long resetAt(LimitState state, long now) {
    return whenUnits(state, capacity * unitsPerToken(), now);
  }

  @Override
  public boolean permitsBelongToWindow() {
    return false;
  }

  /**
   * What is missing from the old bucket is missing from the new one; what was booked in the old one
   * can no longer be taken back, its refill being unknown.
   */
  @Override
  public LimitState convert(LimitState state, Limit from, long now) {
    long used = Math.min(from.used(state, now), 2 * capacity);
    long time = Math.max(now, state.word(0));
    return LimitState.of(time, (capacity - used) * unitsPerToken(), time);
  }

  @Override
  public TokenBucket withPermits(long newPermits) {
    return new TokenBucket(
        newPermits, periodNanos, Math.max(1, Limits.mulDiv(capacity, newPermits, permits)));
  }

  private long whenUnits(LimitState state, long wantedUnits, long now) {
    long missing = wantedUnits - unitsAt(state, now);
    return missing <= 0 ? now : Math.max(now, state.word(0)) + ceilDiv(missing, unitsPerNano());
  }

  private long unitsAt(LimitState state, long at) {
    long full = capacity * unitsPerToken();
    long missing = full - state.word(1);
    long elapsed = Math.max(0, at - state.word(0));
    return elapsed >= ceilDiv(missing, unitsPerNano())
        ? full
        : state.word(1) + elapsed * unitsPerNano();
  }

  private long unitsPerNano() {
    return permits / Limits.greatestCommonDivisor(permits, periodNanos);
  }

  private long unitsPerToken() {
    return periodNanos / Limits.greatestCommonDivisor(permits, periodNanos);
  }

  private static long ceilDiv(long a, long b) {
    return -Math.floorDiv(-a, b);
  }
}
