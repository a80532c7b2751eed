package io.quotaenforcer.core.algorithm;

/**
 * A leaky bucket as a meter, the generic cell rate algorithm: one request each {@code period /
 * permits}, and up to {@code burst} more that come too early.
 *
 * <p>ITU-T I.371, annex A, has two forms of it, a theoretical arrival time and a level that leaks;
 * both admit what a full {@link TokenBucket} of {@code burst + 1} tokens does, by whose arithmetic
 * and state this one is kept. {@code limit_req rate=100r/s burst=20 nodelay} of nginx is {@code
 * permits=100, period=1 s, burst=20}.
 *
 * @param bucket the same limit as tokens
 */
public record LeakyBucket(TokenBucket bucket) implements RenewingLimit {

  public LeakyBucket {
    if (bucket.initialPermits() != bucket.capacity()) {
      throw new IllegalArgumentException(
          "must begin empty, as a full bucket of tokens: initialPermits="
              + bucket.initialPermits());
    }
  }

  /**
   * A meter for a rate.
   *
   * @param burst requests that may come too early, 0 or more
   */
  public static LeakyBucket of(long permits, long periodNanos, long burst) {
    if (burst < 0 || burst > MAX_PERMITS) {
      throw new IllegalArgumentException(
          "must be between 0 and " + MAX_PERMITS + ": burst=" + burst);
    }
    Limits.check(permits, periodNanos);
    long most = TokenBucket.mostCapacity(permits, periodNanos) - 1;
    if (burst > most) {
      throw new IllegalArgumentException("must be <= " + most + " for this rate: burst=" + burst);
    }
    return new LeakyBucket(new TokenBucket(permits, periodNanos, burst + 1));
  }

  public long burst() {
    return bucket.capacity() - 1;
  }

  @Override
  public long permits() {
    return bucket.permits();
  }

  @Override
  public long periodNanos() {
    return bucket.periodNanos();
  }

  @Override
  public long capacity() {
    return bucket.capacity();
  }

  @Override
  public LimitState initial(long now) {
    return bucket.initial(now);
  }

  @Override
  public LimitState advance(LimitState state, long now) {
    return bucket.advance(state, now);
  }

  @Override
  public long available(LimitState state, long at) {
    return bucket.available(state, at);
  }

  @Override
  public long unrenewed(long permits, long at, long now) {
    return bucket.unrenewed(permits, at, now);
  }

  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    return bucket.mostAvailable(known, knownAt, at);
  }

  @Override
  public LimitState book(LimitState state, long used, long at) {
    return bucket.book(state, used, at);
  }

  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    return bucket.unbook(state, unused, at);
  }

  @Override
  public boolean mayUnbook(LimitState state, long at) {
    return bucket.mayUnbook(state, at);
  }

  @Override
  public LimitState lend(LimitState state, long lentPermits, long lentMillis, long now) {
    return bucket.lend(state, lentPermits, lentMillis, now);
  }

  @Override
  public long availableBeside(LimitState state, long lentPermits, long at) {
    return bucket.availableBeside(state, lentPermits, at);
  }

  @Override
  public LimitState merge(LimitState state, long use, long kept, long at) {
    return bucket.merge(state, use, kept, at);
  }

  @Override
  public LimitState putIn(LimitState state, long tokens) {
    return bucket.putIn(state, tokens);
  }

  @Override
  public boolean isDivisible() {
    return true;
  }

  @Override
  public boolean isBucket() {
    return true;
  }

  @Override
  public long used(LimitState state, long now) {
    return bucket.used(state, now);
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    return bucket.availableAt(state, wanted, now);
  }

  @Override
  public long resetAt(LimitState state, long now) {
    return bucket.resetAt(state, now);
  }

  @Override
  public long mostInAPeriod() {
    return bucket.mostInAPeriod();
  }

  @Override
  public LimitState convert(LimitState state, Limit from, long now) {
    return bucket.convert(state, from, now);
  }

  /** The rate changes, and the burst stays: it is a number of requests, not a part of the rate. */
  @Override
  public LeakyBucket withPermits(long newPermits) {
    return of(newPermits, periodNanos(), burst());
  }

  @Override
  public LeakyBucket countable(long newPermits) {
    return new LeakyBucket(bucket.countable(newPermits));
  }

  @Override
  public LeakyBucket share(int instances) {
    return new LeakyBucket(bucket.share(instances));
  }

  @Override
  public LimitTerms terms() {
    return LimitTerms.of(Algorithm.LEAKY_BUCKET, permits(), periodNanos()).withBurst(burst());
  }
}
