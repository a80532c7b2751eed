package io.quotaenforcer.core.ledger;

/**
 * What is counted for a quota key in one window, or a change to it.
 *
 * @param windowStartNanos start of the window in enforcer time
 * @param used permits; a change is negative when permits were put back after they were reported
 * @param throttled permits
 */
public record WindowCount(long windowStartNanos, long used, long throttled) {}
