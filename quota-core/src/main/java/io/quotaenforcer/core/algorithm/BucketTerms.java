package io.quotaenforcer.core.algorithm;

/**
 * The terms that only buckets have.
 *
 * @param burst of a token bucket, the most tokens that it holds; of a leaky bucket, the requests
 *     that may come too early
 * @param initial tokens that a bucket holds at first
 * @param warmUpNanos time in which a cold bucket comes to its full rate; 0 for one that is never
 *     cold
 */
public record BucketTerms(long burst, long initial, LimitTerms.Refill refill, long warmUpNanos) {
  static final BucketTerms NONE = new BucketTerms(0, 0, LimitTerms.Refill.GREEDY, 0);
}
