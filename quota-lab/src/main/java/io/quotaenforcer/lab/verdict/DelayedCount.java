package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import java.util.ArrayDeque;

/**
 * Decides one quota key at one instance from a plain delayed count, without allotments: what all
 * instances had admitted a moment ago, plus what it admitted itself and that count does not hold
 * yet, must leave room. What the others admitted since is unknown to it, which is how N instances
 * exceed a limit.
 */
public final class DelayedCount {
  private final Limit limit;
  private final ArrayDeque<long[]> uncounted = new ArrayDeque<>();
  private LimitState counted;
  private long ownAdmitted;
  private long ownCounted;
  private long window;
  private long uncountedInWindow;
  private long uncountedBefore;

  public DelayedCount(Limit limit, long now) {
    this.limit = limit;
    this.counted = limit.initial(now);
    this.window = limit.windowStart(now);
  }

  /** The state of a key with {@code used} permits counted at {@code atNanos}. */
  public static LimitState countOf(Limit limit, long used, long atNanos) {
    return limit.book(limit.initial(atNanos), used, atNanos);
  }

  /**
   * A newer count has arrived.
   *
   * @param count what all instances had admitted
   * @param ownIncluded the part of it that this instance admitted
   */
  public void see(LimitState count, long ownIncluded) {
    counted = count;
    while (ownCounted < ownIncluded && !uncounted.isEmpty()) {
      long[] first = uncounted.getFirst();
      long covered = Math.min(first[1], ownIncluded - ownCounted);
      ownCounted += covered;
      first[1] -= covered;
      if (first[0] >= window) {
        uncountedInWindow -= covered;
      } else {
        uncountedBefore -= covered;
      }
      if (first[1] == 0) {
        uncounted.removeFirst();
      }
    }
  }

  /** Admits when there is room as far as the instance knows, and notes it. */
  public boolean tryAdmit(long cost, long now) {
    turnTo(limit.windowStart(now));
    LimitState known = limit.advance(counted, now);
    if (uncountedBefore > 0) {
      known = limit.book(known, uncountedBefore, window - 1);
    }
    if (limit.available(known, now) - uncountedInWindow < cost) {
      return false;
    }
    ownAdmitted += cost;
    uncountedInWindow += cost;
    uncounted.addLast(new long[] {now, cost});
    return true;
  }

  /** Permits that this instance ever admitted. */
  public long ownAdmitted() {
    return ownAdmitted;
  }

  private void turnTo(long start) {
    if (start > window) {
      window = start;
      uncountedBefore += uncountedInWindow;
      uncountedInWindow = 0;
    }
  }
}
