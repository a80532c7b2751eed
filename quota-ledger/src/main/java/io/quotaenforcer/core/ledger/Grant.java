package io.quotaenforcer.core.ledger;

/**
 * Permits that a holder was granted.
 *
 * @param permits in all; 0 for a cell that the instance opened itself
 * @param validUntilNanos end of the lease in enforcer time
 */
public record Grant(long permits, long validUntilNanos) {}
