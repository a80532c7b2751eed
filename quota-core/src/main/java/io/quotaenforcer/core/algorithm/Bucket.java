package io.quotaenforcer.core.algorithm;

/**
 * A bucket of tokens, of which a request takes its cost. An overdraft deeper than a full bucket is
 * forgotten: it could take for ever to repay.
 */
interface Bucket<B extends Bucket<B>> extends RenewingLimit {

  /** The contents of the bucket. */
  interface Level extends LimitState {
    /** Time of the last refill. */
    long refilledNanos();

    /** Its contents in parts of a token, whose size each kind chooses; negative when overdrawn. */
    long parts();

    /**
     * Time of the last booking that went below the deepest overdraft and was partly forgotten;
     * {@link Long#MIN_VALUE} for none.
     */
    long forgottenNanos();

    Level with(long parts, long forgottenNanos);
  }

  /** Tokens that it holds at first. */
  long initialPermits();

  /** The same kind of bucket, of another size. */
  B withCapacity(long permits, long capacity, long initialPermits);

  @Override
  default B withPermits(long newPermits) {
    return scaled(newPermits, Math.max(1, Limits.mulDiv(capacity(), newPermits, permits())));
  }

  /**
   * Tokens that a bucket of this kind can hold at another rate, and be counted: of some rates fewer
   * than of one that is larger.
   */
  default long mostCapacity(long ofPermits) {
    return Limits.MAX_PERMITS;
  }

  @Override
  default B countable(long newPermits) {
    long inProportion = Math.max(1, Limits.mulDiv(capacity(), newPermits, permits()));
    return scaled(newPermits, Math.min(inProportion, mostCapacity(newPermits)));
  }

  @Override
  default B share(int instances) {
    long part = Limits.share(permits(), instances);
    long even = Math.max(1, capacity() / instances);
    return scaled(part, Math.min(even, mostCapacity(part)));
  }

  @Override
  default long mostInAPeriod() {
    return permits() + capacity();
  }

  /** The state knows what is lent. */
  @Override
  default long availableBeside(LimitState state, long lentPermits, long at) {
    return available(state, at);
  }

  /**
   * Nothing: the place of what comes back is empty, and what its holder missed is missing there.
   */
  @Override
  default LimitState merge(LimitState state, long use, long kept, long at) {
    return state;
  }

  @Override
  default boolean isBucket() {
    return true;
  }

  /** Nothing that was booked before something was forgotten. */
  @Override
  default boolean mayUnbook(LimitState state, long at) {
    return at > ((Level) state).forgottenNanos();
  }

  @Override
  default long unrenewed(long permits, long at, long now) {
    LimitState whole = initial(at);
    long missing = used(book(whole, permits, at), now) - used(whole, now);
    return Math.max(0, Math.min(permits, missing));
  }

  @Override
  default LimitTerms terms() {
    return LimitTerms.of(Algorithm.TOKEN_BUCKET, permits(), periodNanos())
        .withBurst(capacity())
        .withInitial(initialPermits());
  }

  private B scaled(long newPermits, long newCapacity) {
    return withCapacity(
        newPermits, newCapacity, Limits.mulDiv(initialPermits(), newCapacity, capacity()));
  }

  /**
   * A state with permits booked.
   *
   * @param filled refilled up to the booking
   * @param lastNanos last time at which permits may have been used that are booked in this state
   */
  static LimitState booked(
      Level filled, long used, long capacity, long partsPerToken, long lastNanos) {
    // The floor is the same for every level, so that no booking leaves more than none would have.
    long room = filled.parts() + capacity * partsPerToken;
    return used <= room / partsPerToken
        ? filled.with(filled.parts() - used * partsPerToken, filled.forgottenNanos())
        : filled.with(-capacity * partsPerToken, lastNanos);
  }

  /** Parts that a booking of these permits took, at the most: the others were forgotten. */
  static long taken(long permits, long capacity, long partsPerToken) {
    return Math.min(permits, 2 * capacity) * partsPerToken;
  }

  /**
   * A state with parts given back. What was refilled since they were taken might have run over
   * without the booking, and is no longer to be given back.
   *
   * @param most parts in a full bucket
   */
  static LimitState unbooked(Level level, long taken, long refilledSince, long most) {
    long missing = Math.max(0, most - level.parts());
    return level.with(
        level.parts() + Math.min(missing, taken - refilledSince), level.forgottenNanos());
  }
}
