package io.quotaenforcer.core.ledger;

/**
 * Assumptions about the time from a report to its answer.
 *
 * @param defaultNanos before an instance measured it
 * @param ahead loops of its demand that an instance may hold
 */
public record Loops(long defaultNanos, int ahead) {}
