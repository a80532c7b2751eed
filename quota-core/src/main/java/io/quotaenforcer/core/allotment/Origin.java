package io.quotaenforcer.core.allotment;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a quota key when an object is made for it.
 *
 * @param isSettled whether all was reported and booked that was ever taken by opening credit
 * @param creditFromNanos local time from which the key may have opening credit
 * @param forgottenUntilNanos local time until which the key may have been used in the window before
 *     this object, which does not know how much
 * @param answer the enforcer's newest; null when it is not known
 */
record Origin(
    boolean isSettled,
    long creditFromNanos,
    long forgottenUntilNanos,
    @Nullable KnownQuota answer) {
  /** Of a key that was forgotten, or never seen. */
  static Origin forgotten(long creditFromNanos, long forgottenUntilNanos) {
    return new Origin(false, creditFromNanos, forgottenUntilNanos, null);
  }

  /** Of a key that is at rest under the same limit. */
  static Origin dormant(DormantKey dormant, long periodNanos, long now) {
    return new Origin(true, dormant.creditFromNanos(), now + periodNanos, dormant.answer());
  }
}
