package io.quotaenforcer.core.ledger;

/**
 * A change to what is counted for a quota key in one window.
 *
 * @param windowStartNanos start of the window in enforcer time
 * @param used permits to add; negative when permits were put back after they were reported
 * @param throttled permits to add
 */
public record WindowCount(long windowStartNanos, long used, long throttled) {}
