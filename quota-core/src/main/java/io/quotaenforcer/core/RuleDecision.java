package io.quotaenforcer.core;

import java.time.Duration;
import java.util.Optional;

/**
 * Standing of a rule at the time when it decided a request.
 *
 * @param quotaKey the unit that was counted
 * @param allowed the rule's limit for this quota key, with override and tolerance
 * @param remaining permits left of the limit as far as the instance knows; an estimate
 * @param resetNanos nanoseconds from the decision until the quota renews
 * @param retryAfterNanos nanoseconds after which a throttled request may succeed; 0 if the rule had
 *     room; {@link #NEVER_NANOS} if it costs more than the limit ever gives, or an override denies
 *     the quota key
 * @param windowStartNanos start of the permit's window, in enforcer time (epoch nanoseconds); 0 for
 *     kinds without windows
 * @param degraded true if the enforcer was away and the rule's {@code on-unavailable} decided
 * @param known whether the instance knew the quota key's standing; false before its first quota
 *     snapshot: then {@code remaining} is the number it may admit by itself, and {@code resetNanos}
 *     is 0; false for a denied quota key, which has no quota
 * @param shadow true for a rule that only observes, and throttles nothing
 * @param atNanos the clock read of this decision, in the instance's monotonic nanoseconds
 * @param aboveNominal whether more is used than the limit without its tolerance, this request
 *     included, as far as the instance knows; always false for a rule without tolerance
 * @param owed permits that this instance must still take for requests that cost more than they
 *     reserved: until then it admits nothing by this rule
 * @param source origin of the permits
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
   * For a key that is not above its nominal limit and owes nothing: the permits are granted if
   * there was room, otherwise the reason is the limit.
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

  /** Whether the rule had room: false if it throttled, or would have except for shadow mode. */
  public boolean hadRoom() {
    return retryAfterNanos == 0;
  }

  /** {@link #retryAfterNanos} as a time; empty for {@link #NEVER_NANOS}. */
  public Optional<Duration> retryAfter() {
    return retryAfterNanos == NEVER_NANOS
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(retryAfterNanos));
  }

  /** The decision for a denied quota key: limit 0, and no time at which to try again. */
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

  /** Whether an override denies the quota key: waiting, or trying again, is useless. */
  public boolean isDenied() {
    return allowed instanceof NoPermits;
  }

  /** Permits that the rule allows per period. */
  public long limit() {
    return allowed.permits();
  }
}
