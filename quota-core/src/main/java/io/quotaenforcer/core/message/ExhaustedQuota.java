package io.quotaenforcer.core.message;

/**
 * No permits of a quota key are left.
 *
 * @param generation generation of the rule that this speaks of
 * @param untilNanos enforcer time until which that is so at least
 */
public record ExhaustedQuota(long generation, long untilNanos) {}
