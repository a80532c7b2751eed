package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.CellGrant;

/**
 * When an instance may take permits from a cell, on its own monotonic clock. A lease runs from the
 * time at which the report was sent, so that no clocks need to agree.
 */
record Lease(long fromNanos, long untilNanos) {

  /**
   * The lease of a cell in an answer.
   *
   * @param enforcerNanos enforcer time of the answer
   * @param echoNanos when the report was sent that it answers
   */
  static Lease of(CellGrant grant, KeyView key, long enforcerNanos, long echoNanos) {
    Limit limit = key.limit();
    PartitionLink link = key.link();
    long now = key.now();
    long until = echoNanos + (grant.validUntilNanos() - enforcerNanos);
    if (!(limit instanceof WindowedLimit)) {
      return new Lease(key.terms().isStrict() ? now : Long.MIN_VALUE, until);
    }
    long from =
        grant.validFromNanos() > enforcerNanos
            ? link.toLocal(grant.validFromNanos())
            : Long.MIN_VALUE;
    long windowEnd = link.toLocalEnd(limit.windowEnd(grant.windowStartNanos()));
    return new Lease(from, Math.min(until, windowEnd));
  }
}
