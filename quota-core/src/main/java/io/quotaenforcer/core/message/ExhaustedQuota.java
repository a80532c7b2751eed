package io.quotaenforcer.core.message;

/**
 * Facts about a quota key that every instance must know before it admits anything for it by its own
 * count.
 *
 * @param generation generation of the rule
 * @param untilNanos enforcer time until which no permits are left
 * @param opening permits that each instance may admit in a period by its own count, after {@code
 *     untilNanos} and until {@code abusedUntilNanos}
 * @param abusedUntilNanos enforcer time until which the whole limit must not be opened; 0 if it may
 *     be
 */
public record ExhaustedQuota(
    long generation, long untilNanos, long opening, long abusedUntilNanos) {}
