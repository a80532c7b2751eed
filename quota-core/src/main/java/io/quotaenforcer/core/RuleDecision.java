package io.quotaenforcer.core;

/**
 * How one rule stood when it decided a request.
 *
 * @param quotaKey what was counted
 * @param limit permits that the rule allows per period
 * @param remaining permits that are left of the limit as far as the instance knows; an estimate
 * @param resetNanos nanoseconds from the decision until the quota renews
 * @param retryAfterNanos nanoseconds after which a throttled request may succeed; 0 when admitted
 * @param windowStartNanos start of the window that a permit was taken from, in enforcer time (epoch
 *     nanoseconds); 0 for kinds that have no windows
 * @param degraded true when the enforcer was away and the rule's {@code on-unavailable} decided
 * @param atNanos the clock read of this decision, in the instance's monotonic nanoseconds
 */
public record RuleDecision(
    QuotaKey quotaKey,
    long limit,
    long remaining,
    long resetNanos,
    long retryAfterNanos,
    long windowStartNanos,
    boolean degraded,
    long atNanos) {}
