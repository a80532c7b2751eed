package io.quotaenforcer.core.message;

/**
 * A lower bound on the use of a cell before a time.
 *
 * @param permits certainly used by then
 * @param beforeNanos on the instance's monotonic clock; meaningless if {@code permits} is 0
 */
public record EarlierUse(long permits, long beforeNanos) {
  /** The time of use is unknown. */
  public static final EarlierUse NONE = new EarlierUse(0, 0);
}
