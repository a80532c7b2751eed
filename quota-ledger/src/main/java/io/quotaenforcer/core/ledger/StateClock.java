package io.quotaenforcer.core.ledger;

/**
 * The clock that a key's state is kept by. Where permits renew with time it is set back at each
 * takeover by as much as the successor's clock may be ahead of its predecessor's, and stands still
 * until that has passed: so it never runs faster than true time.
 *
 * @param lagNanos how far it runs behind enforcer time
 * @param floorNanos what it showed last before it was set back
 */
public record StateClock(long lagNanos, long floorNanos) {
  /** Shows enforcer time. */
  public static final StateClock ENFORCER = new StateClock(0, Long.MIN_VALUE);

  /** The time that it shows at an enforcer time. */
  public long at(long enforcerNanos) {
    return Math.max(enforcerNanos - lagNanos, floorNanos);
  }

  /** Enforcer time at which it shows a time. */
  long toEnforcer(long stateNanos) {
    return stateNanos > Long.MAX_VALUE - lagNanos ? Long.MAX_VALUE : stateNanos + lagNanos;
  }

  StateClock setBack(long nanos, long newestEnforcerNanos) {
    return new StateClock(lagNanos + nanos, at(newestEnforcerNanos));
  }
}
