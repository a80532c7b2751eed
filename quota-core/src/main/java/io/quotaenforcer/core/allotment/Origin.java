package io.quotaenforcer.core.allotment;

import org.jspecify.annotations.Nullable;

/**
 * Earlier knowledge of a quota key when an object is made for it.
 *
 * @param opening how far the key can be opened; null when that is not known
 * @param sharedUntilNanos local time until which a key of which nothing is known may be one that
 *     did not fit into memory
 * @param forgottenUntilNanos local time until which the key may have been used in the window before
 *     this object, which does not know how much
 * @param answer the enforcer's newest; null when it is not known
 */
record Origin(
    @Nullable OpeningState opening,
    long sharedUntilNanos,
    long forgottenUntilNanos,
    @Nullable KnownQuota answer) {
  /** The origin of a key that was forgotten or never seen. */
  static Origin forgotten(long sharedUntilNanos, long forgottenUntilNanos) {
    return new Origin(null, sharedUntilNanos, forgottenUntilNanos, null);
  }

  /** The origin of a key that is at rest under the same limit. */
  static Origin dormant(DormantKey dormant, long periodNanos, long now) {
    return new Origin(dormant.opening(), Long.MIN_VALUE, now + periodNanos, dormant.answer());
  }
}
