package io.quotaenforcer.core.activity;

import io.quotaenforcer.core.message.HolderId;

/**
 * The newest report of one epoch of an instance.
 *
 * @param heardNanos enforcer time at which it came
 * @param loopNanos time from one answer to the next, as the instance measured it; 0 if it has not
 * @param quotaKeys that it reported
 */
public record HeardInstance(
    HolderId holder, long epoch, long heardNanos, long loopNanos, int quotaKeys) {}
