package io.quotaenforcer.core.backtest;

/**
 * Requests that the new rules decide otherwise than the old ones.
 *
 * @param newlyThrottled requests that were admitted, or matched no rule, and are throttled now; of
 *     a rule or quota key, those that it has too few permits for
 * @param newlyAdmitted requests that were throttled and are admitted now, or match no rule any
 *     more; of a rule or quota key, those that it had too few permits for
 */
public record Change(long newlyThrottled, long newlyAdmitted) {
  public static final Change NONE = new Change(0, 0);
}
