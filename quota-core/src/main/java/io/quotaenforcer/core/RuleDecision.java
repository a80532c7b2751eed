package io.quotaenforcer.core;

/**
 * How one rule stood when it decided a request.
 *
 * @param quotaKey what was counted
 * @param allowed what the rule allows this quota key, with override and tolerance
 * @param remaining permits that are left of the limit as far as the instance knows; an estimate
 * @param resetNanos nanoseconds from the decision until the quota renews
 * @param retryAfterNanos nanoseconds after which a throttled request may succeed; 0 when admitted,
 *     {@link #NEVER_NANOS} when an override denies the quota key
 * @param windowStartNanos start of the window that a permit was taken from, in enforcer time (epoch
 *     nanoseconds); 0 for kinds that have no windows
 * @param degraded true when the enforcer was away and the rule's {@code on-unavailable} decided
 * @param known whether the instance knew how the quota key stands; false before its first quota
 *     snapshot: then {@code remaining} is what it may admit by itself, and {@code resetNanos} is 0;
 *     false for a denied quota key, which has no quota
 * @param shadow true for a rule that only watches, and throttles nothing
 * @param atNanos the clock read of this decision, in the instance's monotonic nanoseconds
 */
public record RuleDecision(
    QuotaKey quotaKey,
    PermitsPerPeriod allowed,
    long remaining,
    long resetNanos,
    long retryAfterNanos,
    long windowStartNanos,
    boolean degraded,
    boolean known,
    boolean shadow,
    long atNanos) {

  /** What is waited for never comes. */
  public static final long NEVER_NANOS = Long.MAX_VALUE;

  /** Of a quota key that an override denies: limit 0, and no time at which to try again. */
  public static RuleDecision denied(
      QuotaKey quotaKey, long periodNanos, boolean shadow, long atNanos) {
    return new RuleDecision(
        quotaKey, new NoPermits(periodNanos), 0, 0, NEVER_NANOS, 0, false, false, shadow, atNanos);
  }

  private record NoPermits(long periodNanos) implements PermitsPerPeriod {
    @Override
    public long permits() {
      return 0;
    }
  }

  /** Whether an override denies the quota key: to wait, or to try again, is in vain. */
  public boolean isDenied() {
    return allowed instanceof NoPermits;
  }

  /** Permits that the rule allows per period. */
  public long limit() {
    return allowed.permits();
  }
}
