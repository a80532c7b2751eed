package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;

/**
 * Admissions run through the limit's algorithm, each at the end of the microsecond of its stamp.
 */
final class UndividedUse implements KeyUse {
  private final Limit limit;
  private LimitState state;

  UndividedUse(Limit limit, long atNanos) {
    this.limit = limit;
    this.state = limit.initial(atNanos);
  }

  @Override
  public boolean take(long cost, long atNanos) {
    boolean fits = limit.available(state, atNanos + STAMP_RESOLUTION_NANOS) >= cost;
    state = fits ? limit.book(state, cost, atNanos) : state;
    return fits;
  }
}
