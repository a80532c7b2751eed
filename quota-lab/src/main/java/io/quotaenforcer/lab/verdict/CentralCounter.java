package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;

/**
 * A quota key as counted by a single process that sees every request at its own time: a limit's
 * algorithm, undivided. Requests over the limit are dropped, and count only if the limit says so.
 *
 * <p>Its windows have the borders of true time. One thread at a time.
 */
public final class CentralCounter {
  private final Limit limit;
  private LimitState state;

  /**
   * A counter before its first request.
   *
   * @param startNanos not after the first request
   */
  public CentralCounter(Limit limit, long startNanos) {
    this.limit = limit;
    this.state = limit.initial(startNanos);
  }

  /**
   * Decides a request and counts it if admitted.
   *
   * @param atNanos when it was asked; not before the previous request
   */
  public boolean admits(long cost, long atNanos) {
    LimitState now = limit.advance(state, atNanos);
    boolean fits = limit.available(now, atNanos) >= cost;
    state = fits || limit.countsThrottled() ? limit.book(now, cost, atNanos) : now;
    return fits;
  }
}
