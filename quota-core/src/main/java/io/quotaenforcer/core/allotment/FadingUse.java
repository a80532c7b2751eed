package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.RenewalTerms;

/**
 * Tells when use of a share has slid out that its holder does not come to need again. The enforcer
 * cuts the share as it hears of that: cut at once, what it has used would be missing for a period.
 * Belongs to the owner of the book.
 */
final class FadingUse {
  /** A share that is needed to a larger part may stay as it is. */
  private static final double PART_NEEDED = 0.75;

  /** What is to slide out of a share until it is worth a report, as a divisor. */
  private static final long PARTS = 32;

  /** Permits that could be taken by the share as of the last report. */
  private long reportedRoom;

  void reported(JudgedKey key) {
    reportedRoom = key.share() == null ? 0 : key.share().room(key.now());
  }

  /**
   * Whether it is to be said.
   *
   * @param perSecond the demand that the last report named
   */
  boolean isToSay(JudgedKey key, double perSecond) {
    HeldShare share = key.share();
    if (share == null || !(key.limit().renewal() instanceof RenewalTerms.Slots)) {
      return false;
    }
    double perNano = share.cell().permitsPerNano();
    return perSecond / 1e9 < PART_NEEDED * perNano
        && share.room(key.now()) - reportedRoom > perNano * key.limit().periodNanos() / PARTS;
  }
}
