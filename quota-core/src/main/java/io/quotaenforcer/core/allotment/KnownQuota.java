package io.quotaenforcer.core.allotment;

/**
 * The part of an answer that is remembered: an instance may hold a million of them.
 *
 * @param used permits used of the limit, by all instances
 * @param remaining permits that are neither used nor granted
 * @param resetNanos enforcer time at which the quota renews
 * @param scarce whether instances ask for more than there is
 * @param penaltyUntilNanos enforcer time until which everything is refused; 0 for no penalty
 */
record KnownQuota(
    long used, long remaining, long resetNanos, boolean scarce, long penaltyUntilNanos) {
  /** Whether everything is refused. */
  boolean isPenalized(long enforcerNow) {
    return enforcerNow < penaltyUntilNanos;
  }
}
