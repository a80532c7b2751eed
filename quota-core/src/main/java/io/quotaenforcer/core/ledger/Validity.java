package io.quotaenforcer.core.ledger;

/**
 * For how long an instance may go on without another answer.
 *
 * @param leaseNanos with permits that it was leased
 * @param shareTermNanos with a share of the limit, which is never shorter than a lease; 0 where
 *     steady demand is leased, and only what leases cannot carry is let to shares
 * @param ofBuckets whether steady demand has shares of buckets too: a share begins empty, so that
 *     somebody who comes with a burst may find less than there would be in one bucket
 */
public record Validity(long leaseNanos, long shareTermNanos, boolean ofBuckets) {
  public Validity {
    if (leaseNanos < 1 || shareTermNanos < 0) {
      throw new IllegalArgumentException(
          "must be positive, and a share's term not negative: leaseNanos=%d shareTermNanos=%d"
              .formatted(leaseNanos, shareTermNanos));
    }
  }

  /** With shares of all limits that can be divided. */
  public Validity(long leaseNanos, long shareTermNanos) {
    this(leaseNanos, shareTermNanos, true);
  }

  Validity scaled(long factor) {
    return new Validity(
        Math.multiplyExact(leaseNanos, factor),
        Math.multiplyExact(shareTermNanos, factor),
        ofBuckets);
  }
}
