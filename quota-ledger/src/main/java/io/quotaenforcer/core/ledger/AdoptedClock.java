package io.quotaenforcer.core.ledger;

/**
 * The clock of a predecessor that was ahead by more than clocks may differ: the own clock and a
 * lead, which shrinks as time goes on. It runs at nine tenths of the true pace meanwhile, so that a
 * minute ahead is gone after ten, and a limit admits nine tenths until then. Up to ten seconds are
 * waited for instead, so that borders stay where they are in true time.
 *
 * <p>Confined to one thread.
 */
final class AdoptedClock {
  /** A clock that leads by nothing. */
  static final AdoptedClock OWN = new AdoptedClock(Long.MIN_VALUE, 0);

  private static final long WAITED_FOR_NANOS = 10_000_000_000L;

  /** One nanosecond of the lead goes in this many. */
  private static final long PACE = 10;

  private final long latestNanos;
  private final long usualNanos;
  private boolean begun;
  private long beganNanos;
  private long firstLeadNanos;
  private long leadNanos;

  private AdoptedClock(long latestNanos, long usualNanos) {
    this.latestNanos = latestNanos;
    this.usualNanos = usualNanos;
  }

  /**
   * @param latestNanos latest time that the predecessor may have used
   */
  static AdoptedClock after(long latestNanos, LedgerSettings settings) {
    return new AdoptedClock(latestNanos, settings.aheadNanos() + settings.maxClockSkewNanos());
  }

  /** Its time at a reading of the own clock. */
  long at(long ownNanos) {
    if (latestNanos == Long.MIN_VALUE) {
      return ownNanos;
    }
    if (!begun) {
      begun = true;
      beganNanos = ownNanos;
      // What takeovers always wait for is waited for here as well.
      long lead = latestNanos - ownNanos - usualNanos;
      firstLeadNanos = lead > WAITED_FOR_NANOS ? lead : 0;
    }
    long gone = Math.max(0, ownNanos - beganNanos) / PACE;
    leadNanos = Math.max(0, firstLeadNanos - gone);
    return ownNanos + leadNanos;
  }

  /** The lead at the newest reading. */
  long aheadNanos() {
    return leadNanos;
  }
}
