package io.quotaenforcer.core.allotment;

import org.jspecify.annotations.Nullable;

/**
 * The remains of a quota key that holds nothing and has nothing to report: enough to go on from
 * when a request comes.
 *
 * @param lastAskedNanos when the last request came
 * @param usedUntilNanos local time until which it must be taken for used in its window
 * @param opening how far it can be opened; null where nothing is ever opened
 * @param openingNeededUntilNanos local time until which that matters
 * @param answer the newest of the enforcer; null if there was none
 */
record DormantKey(
    long lastAskedNanos,
    long usedUntilNanos,
    @Nullable OpeningState opening,
    long openingNeededUntilNanos,
    @Nullable KnownQuota answer) {
  /** The same of a quota that is counted anew: only what the instance opened itself stays known. */
  DormantKey countedAnew() {
    OpeningState opened =
        opening == null
            ? null
            : new OpeningState(OpeningState.ALL, opening.atNanos(), opening.opened(), 0, 0);
    return new DormantKey(lastAskedNanos, usedUntilNanos, opened, openingNeededUntilNanos, null);
  }
}
