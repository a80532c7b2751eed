package io.quotaenforcer.core.algorithm;

/**
 * How permits of a limit renew, for one who has a part of it, and keeps account of that in another
 * way than by a {@link LimitState}.
 */
public sealed interface RenewalTerms {

  /** One by one at a steady rate, into a bucket. */
  record Steady() implements RenewalTerms {}

  /** All at once when a window begins; those of the window before are void. */
  record Windows() implements RenewalTerms {}

  /** At once at each border, into a bucket. */
  record Refills(long periodNanos) implements RenewalTerms {}

  /** Each when it is given back, however long that takes. */
  record Releases() implements RenewalTerms {}

  /**
   * When the slot in which they were used has been over for so long that it does not count.
   *
   * @param slotNanos length of a slot, which begins where another one ends
   * @param counted slots that count in full, the current one among them
   * @param fades whether the slot before those counts in part: less and less over a slot
   */
  record Slots(long slotNanos, int counted, boolean fades) implements RenewalTerms {}
}
