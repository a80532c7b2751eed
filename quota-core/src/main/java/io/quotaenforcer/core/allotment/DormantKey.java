package io.quotaenforcer.core.allotment;

import org.jspecify.annotations.Nullable;

/**
 * What is left of a quota key that holds nothing and has nothing to say: enough to go on from when
 * a request comes.
 *
 * @param lastAskedNanos when the last request came
 * @param creditFromNanos local time from which the key may have opening credit
 * @param usedUntilNanos local time until which it must be taken for used in its window
 * @param answer the newest of the enforcer; null if there was none
 */
record DormantKey(
    long lastAskedNanos, long creditFromNanos, long usedUntilNanos, @Nullable KnownQuota answer) {}
