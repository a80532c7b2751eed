package io.quotaenforcer.core.ledger;

/**
 * When a ledger was written, and which times it keeps to.
 *
 * @param timeNanos newest enforcer time that it has seen
 * @param grantableFromNanos before this nothing is granted: leases of an older generation may still
 *     be spent
 * @param exhaustedUntilNanos until when the key was last announced as exhausted; 0 for never
 * @param tenure number of the tenure in which it was written
 */
public record KeyTimes(
    long timeNanos, long grantableFromNanos, long exhaustedUntilNanos, long tenure) {}
