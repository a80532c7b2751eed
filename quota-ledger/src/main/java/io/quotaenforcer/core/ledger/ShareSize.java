package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.RequestCost;

/**
 * How much of a limit a share is.
 *
 * @param permits per period of the limit
 * @param burstMillis most at once, in thousandths of a permit
 */
record ShareSize(long permits, long burstMillis) {
  private static final long MILLIS = 1_000;
  private static final double DEVIATIONS = 3;
  private static final double OF_FULL_BUCKET = 1.0 / 8;
  private static final double OF_EMPTY_BUCKET = 1.0 / 2;

  /** No share. */
  static final ShareSize NONE = new ShareSize(0, 0);

  /** All permits of a period at once. */
  static ShareSize of(long permits) {
    return new ShareSize(permits, permits * MILLIS);
  }

  /**
   * With room for what comes in a loop, and three standard deviations, in whole permits. What is in
   * a share is not there for others who come with a burst: so that the shares of a full bucket hold
   * an eighth of it at most, and those of an empty one, where nobody comes with a burst, half.
   * Where that is less than a request costs there is no share.
   */
  static ShareSize ofBucket(WorkingLedger ledger, long permits, RequestCost cost, long loopNanos) {
    Limit limit = ledger.limit;
    double own = limit.capacity() - (double) ledger.lentMillis() / MILLIS;
    double full = own < 1 ? 0 : Math.max(0, Math.min(1, ledger.account.tokens() / own));
    double most =
        (double) limit.capacity()
            * permits
            / limit.permits()
            * (OF_EMPTY_BUCKET + full * (OF_FULL_BUCKET - OF_EMPTY_BUCKET));
    if (permits == 0 || most < cost.mean()) {
      return NONE;
    }
    double inALoop = (double) permits * loopNanos / limit.periodNanos();
    double burst = cost.mean() + inALoop + DEVIATIONS * Math.sqrt(inALoop * cost.typical());
    return new ShareSize(permits, MILLIS * (long) Math.min(burst, most));
  }

  /** No smaller in either way. */
  ShareSize atLeast(ShareSize least) {
    return new ShareSize(
        Math.max(permits, least.permits), Math.max(burstMillis, least.burstMillis));
  }

  /** No larger in either way. */
  ShareSize atMost(ShareSize most) {
    return new ShareSize(Math.min(permits, most.permits), Math.min(burstMillis, most.burstMillis));
  }
}
