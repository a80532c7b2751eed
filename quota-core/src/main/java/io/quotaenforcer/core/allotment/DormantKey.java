package io.quotaenforcer.core.allotment;

import org.jspecify.annotations.Nullable;

/**
 * What is left of a quota key that holds nothing and has nothing to say: enough to go on from when
 * a request comes. A million of them are small.
 */
final class DormantKey implements HeldKey {
  private static final long UNKNOWN = -1;

  private final long lastAskedNanos;
  private final long creditFromNanos;
  private final long used;
  private final long remaining;
  private final long resetNanos;

  /**
   * @param lastAskedNanos when the last request came
   * @param creditFromNanos local time from which the key may have opening credit
   * @param answer the newest of the enforcer, if there was one
   */
  DormantKey(long lastAskedNanos, long creditFromNanos, @Nullable KnownQuota answer) {
    this.lastAskedNanos = lastAskedNanos;
    this.creditFromNanos = creditFromNanos;
    this.used = answer == null ? UNKNOWN : answer.used();
    this.remaining = answer == null ? UNKNOWN : answer.remaining();
    this.resetNanos = answer == null ? 0 : answer.resetNanos();
  }

  boolean isIdleFor(long nanos, long now) {
    return now - lastAskedNanos >= nanos;
  }

  long creditFromNanos() {
    return creditFromNanos;
  }

  /** Local time until which the key must be taken for used in its window. */
  long usedUntil(long periodNanos) {
    return Math.max(creditFromNanos, lastAskedNanos + periodNanos);
  }

  /** Of a key that others may lack by now it is not known. */
  @Nullable KnownQuota answer() {
    return used == UNKNOWN ? null : new KnownQuota(used, remaining, resetNanos, false);
  }

  /** The same under a rule that counts anew. */
  DormantKey withoutAnswer() {
    return new DormantKey(lastAskedNanos, creditFromNanos, null);
  }
}
