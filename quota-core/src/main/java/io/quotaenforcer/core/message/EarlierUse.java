package io.quotaenforcer.core.message;

/**
 * How much of a cell was used before a time, at least.
 *
 * @param permits that were used by then
 * @param beforeNanos on the instance's monotonic clock; nothing is said when {@code permits} is 0
 */
public record EarlierUse(long permits, long beforeNanos) {
  /** Nothing is known of when permits were used. */
  public static final EarlierUse NONE = new EarlierUse(0, 0);
}
