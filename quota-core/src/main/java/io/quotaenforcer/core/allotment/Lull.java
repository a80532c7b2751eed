package io.quotaenforcer.core.allotment;

/**
 * Tells a demand that has fallen from one that is interrupted: threads wait for a processor, a
 * caller collects garbage, and what was asked for a tenth of a second ago is asked for again.
 * Belongs to the owner of the book.
 */
final class Lull {
  private final long longestNanos;
  private long sinceNanos;
  private boolean isOn;

  /**
   * @param longestNanos after this a demand has fallen
   */
  Lull(long longestNanos) {
    this.longestNanos = longestNanos;
  }

  /** Notes whether the demand is lower than it was, by more than chance. */
  void saw(boolean isLower, long now) {
    if (isLower && !isOn) {
      sinceNanos = now;
    }
    isOn = isLower;
  }

  /** Whether the demand is lower, and may be the same again soon. */
  boolean isOn(long now) {
    return isOn && now - sinceNanos < longestNanos;
  }
}
