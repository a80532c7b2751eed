package io.quotaenforcer.core;

import java.time.Duration;
import java.util.Optional;

/**
 * How one rule stood when it decided a request.
 *
 * @param quotaKey what was counted
 * @param allowed what the rule allows this quota key, with override and tolerance
 * @param remaining permits that are left of the limit as far as the instance knows; an estimate
 * @param resetNanos nanoseconds from the decision until the quota renews
 * @param retryAfterNanos nanoseconds after which a throttled request may succeed; 0 when the rule
 *     had room; {@link #NEVER_NANOS} when it costs more than the limit ever gives, or an override
 *     denies the quota key
 * @param windowStartNanos start of the window that a permit was taken from, in enforcer time (epoch
 *     nanoseconds); 0 for kinds that have no windows
 * @param degraded true when the enforcer was away and the rule's {@code on-unavailable} decided
 * @param known whether the instance knew how the quota key stands; false before its first quota
 *     snapshot: then {@code remaining} is what it may admit by itself, and {@code resetNanos} is 0;
 *     false for a denied quota key, which has no quota
 * @param shadow true for a rule that only watches, and throttles nothing
 * @param atNanos the clock read of this decision, in the instance's monotonic nanoseconds
 * @param aboveNominal whether more is used than the limit without its tolerance, this request
 *     included, as far as the instance knows; always false for a rule without tolerance
 * @param owed permits that this instance still has to take for requests that cost more than was
 *     reserved for them: until then it admits nothing by this rule
 * @param source where the permits came from
 * @param reason why the rule had no room
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
    long atNanos,
    boolean aboveNominal,
    long owed,
    PermitSource source,
    ThrottleReason reason) {
  /** {@link #retryAfterNanos} of a request that never finds room. */
  public static final long NEVER_NANOS = Long.MAX_VALUE;

  /**
   * Of a key that is not above its nominal limit and owes nothing, by a grant if it had room, and
   * over the limit if not.
   */
  public RuleDecision(
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
    this(
        quotaKey,
        allowed,
        remaining,
        resetNanos,
        retryAfterNanos,
        windowStartNanos,
        degraded,
        known,
        shadow,
        atNanos,
        false,
        0,
        retryAfterNanos == 0 ? PermitSource.GRANTED : PermitSource.NONE,
        retryAfterNanos == 0 ? ThrottleReason.NONE : ThrottleReason.OVER_LIMIT);
  }

  /** Whether the rule had room: false of the rule that throttled, or would have but for shadow. */
  public boolean hadRoom() {
    return retryAfterNanos == 0;
  }

  /** {@link #retryAfterNanos} as a time; empty for {@link #NEVER_NANOS}. */
  public Optional<Duration> retryAfter() {
    return retryAfterNanos == NEVER_NANOS
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(retryAfterNanos));
  }

  /** Of a quota key that an override denies: limit 0, and no time at which to try again. */
  public static RuleDecision denied(
      QuotaKey quotaKey, long periodNanos, boolean shadow, long atNanos) {
    return new RuleDecision(
        quotaKey,
        new NoPermits(periodNanos),
        0,
        0,
        NEVER_NANOS,
        0,
        false,
        false,
        shadow,
        atNanos,
        false,
        0,
        PermitSource.NONE,
        ThrottleReason.DENIED);
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
