package io.quotaenforcer.core.algorithm;

/**
 * A bucket of {@code capacity} tokens, refilled continuously at {@code permits} per period; a
 * request takes its cost in tokens.
 *
 * <p>Counted in integer units of a token so that no rounding accumulates: with the ratio permits /
 * period reduced to lowest terms {@code p / q}, one token is {@code q} units and each nanosecond
 * adds {@code p}. State: time of the last refill, units in the bucket (negative when overdrawn).
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
    return LimitState.of(now, capacity * unitsPerToken());
  }

  @Override
  public LimitState advance(LimitState state, long now) {
    long elapsed = now - state.word(0);
    return elapsed <= 0 ? state : LimitState.of(now, unitsAt(state, now));
  }

  @Override
  public long available(LimitState state, long at) {
    return Math.floorDiv(unitsAt(state, at), unitsPerToken());
  }

  @Override
  public LimitState book(LimitState state, long used, long at) {
    LimitState filled = advance(state, at);
    long full = capacity * unitsPerToken();
    // An overdraft deeper than a full bucket is forgotten: it could take for ever to repay.
    long most = (filled.word(1) + full) / unitsPerToken();
    return LimitState.of(filled.word(0), filled.word(1) - Math.min(used, most) * unitsPerToken());
  }

  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    long full = capacity * unitsPerToken();
    long missing = full - state.word(1);
    long units = unused > missing / unitsPerToken() ? missing : unused * unitsPerToken();
    return LimitState.of(state.word(0), state.word(1) + Math.max(0, units));
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

  /** What is missing from the old bucket is missing from the new one. */
  @Override
  public LimitState convert(LimitState state, Limit from, long now) {
    long used = Math.min(from.used(state, now), 2 * capacity);
    return LimitState.of(Math.max(now, state.word(0)), (capacity - used) * unitsPerToken());
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
