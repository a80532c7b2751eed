package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.RequestCost;

/**
 * A key as it is when the owner of the book looks at it.
 *
 * @param unmet what was asked for and not there
 * @param cost of its requests
 * @param retired whether nothing is taken of it any more
 * @param idleFromNanos when the key is idle if no more requests come
 * @param now the instance's monotonic nanoseconds
 */
record KeyView(
    KeyTerms terms,
    PartitionLink link,
    UnmetDemand unmet,
    RequestCost cost,
    boolean retired,
    long idleFromNanos,
    long now) {
  Limit limit() {
    return terms.limit();
  }

  boolean isIdle() {
    return now >= idleFromNanos;
  }
}
