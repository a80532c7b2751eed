package io.quotaenforcer.core.ledger;

/**
 * For how long an instance may go on without another answer.
 *
 * @param leaseNanos with permits that it was leased
 * @param shareTermNanos with a share of the limit, which is never shorter than a lease; 0 where
 *     steady demand is leased, and only what leases cannot carry is let to shares
 * @param ofBuckets whether steady demand has shares of buckets, too, whose tokens come one by one:
 *     what is in a bucket's share is not there for who comes to another instance with a burst
 * @param restTermNanos with the few permits of a strict limit that it keeps while nobody asks for
 *     them; 0 where it gives all back
 */
public record Validity(
    long leaseNanos, long shareTermNanos, boolean ofBuckets, long restTermNanos) {
  public Validity {
    if (leaseNanos < 1 || shareTermNanos < 0 || restTermNanos < 0) {
      throw new IllegalArgumentException(
          "must be positive, and terms not negative: leaseNanos=%d shareTermNanos=%d restTermNanos=%d"
              .formatted(leaseNanos, shareTermNanos, restTermNanos));
    }
  }

  /** With nothing that is kept while nobody asks. */
  public Validity(long leaseNanos, long shareTermNanos, boolean ofBuckets) {
    this(leaseNanos, shareTermNanos, ofBuckets, 0);
  }

  /** With shares of every limit that can be divided. */
  public Validity(long leaseNanos, long shareTermNanos) {
    this(leaseNanos, shareTermNanos, true);
  }

  /** With permits that are kept so long while nobody asks for them. */
  public Validity withRestTerm(long nanos) {
    return new Validity(leaseNanos, shareTermNanos, ofBuckets, nanos);
  }

  Validity scaled(long factor) {
    return new Validity(
        Math.multiplyExact(leaseNanos, factor),
        Math.multiplyExact(shareTermNanos, factor),
        ofBuckets,
        Math.multiplyExact(restTermNanos, factor));
  }
}
