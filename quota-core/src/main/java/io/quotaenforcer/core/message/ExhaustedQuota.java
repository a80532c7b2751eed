package io.quotaenforcer.core.message;

/**
 * What every instance must know of a quota key before it admits anything of it by its own count.
 *
 * @param generation generation of the rule that this speaks of
 * @param untilNanos enforcer time until which no permits are left
 * @param opening permits that each instance may admit in a period by its own count, after {@code
 *     untilNanos} and until {@code abusedUntilNanos}
 * @param abusedUntilNanos enforcer time until which the whole limit is not to be opened; 0 where it
 *     may be
 */
public record ExhaustedQuota(
    long generation, long untilNanos, long opening, long abusedUntilNanos) {}
