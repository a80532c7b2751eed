package io.quotaenforcer.core.ledger;

/**
 * What is assumed of the time from report to answer.
 *
 * @param defaultNanos before an instance measured it
 * @param ahead loops of its demand that an instance may hold
 */
public record Loops(long defaultNanos, int ahead) {}
