package io.quotaenforcer.core.ledger;

/**
 * How much of a limit a share is.
 *
 * @param permits per period of the limit
 * @param burstMillis most at once, in thousandths of a permit
 */
record ShareSize(long permits, long burstMillis) {
  private static final long MILLIS = 1_000;

  /** No share. */
  static final ShareSize NONE = new ShareSize(0, 0);

  /** All permits of a period at once. */
  static ShareSize of(long permits) {
    return new ShareSize(permits, permits * MILLIS);
  }
}
