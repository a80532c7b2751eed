package io.quotaenforcer.core.algorithm;

/** A limit whose permits renew as time passes, whenever they were granted. */
public non-sealed interface RenewingLimit extends Limit {

  @Override
  default long cellWindow(long at) {
    return 0;
  }

  @Override
  default long voidAt(long cellWindow) {
    return Long.MAX_VALUE;
  }

  @Override
  default long bookedAt(long at, long cellWindow) {
    return at;
  }

  /** A kind says so only if its parts renew as {@link #renewal} says. */
  @Override
  default boolean isDivisible() {
    return false;
  }

  @Override
  default RenewalTerms renewal() {
    return new RenewalTerms.Steady();
  }

  @Override
  default long borderBefore(long at) {
    return Math.floorDiv(at, borderNanos()) * borderNanos();
  }
}
