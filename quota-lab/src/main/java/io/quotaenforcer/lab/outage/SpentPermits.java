package io.quotaenforcer.lab.outage;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.lab.verdict.CentralCounter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds admissions that a strict limit does not allow, whatever its borders are: of a fixed window
 * more than its permits in one window by the labels; of the other kinds more than they let through
 * in any period of any length, wherever their borders lie.
 *
 * <p>A sliding window lets through no more than a bucket of its permits, which renew in a period:
 * what it admits in a window, less what of the window before has faded since, and one permit for
 * rounding. Sub-windows allow their permits in a period less one part, and in the long run no more
 * than a bucket that holds one part more; a bucket that is refilled at borders, than one that holds
 * a refill more.
 */
final class SpentPermits {
  /** A stamp is cut to whole microseconds: the decision was made up to this much later. */
  private static final long STAMP_RESOLUTION_NANOS = 999;

  private final long permits;
  private final boolean labelled;
  private final Map<Long, Long> byWindow = new HashMap<>();
  private final List<Bound> bounds = new ArrayList<>();

  /** Says of each admission, in the order of time, whether it may be; counts it if so. */
  private interface Bound {
    boolean allows(long atNanos);
  }

  SpentPermits(Limit limit, long startNanos) {
    permits = limit.permits();
    labelled = limit instanceof FixedWindow;
    long period = limit.periodNanos();
    if (limit instanceof SlidingWindow) {
      addBucket(period, permits + 1, startNanos);
    } else if (limit instanceof SlidingLog) {
      addLog(period);
    } else if (limit instanceof SlidingSubWindows parts) {
      addLog(period - parts.borderNanos());
      addBucket(period, permits + ceilDiv(permits, parts.slots()), startNanos);
    } else if (limit instanceof IntervalBucket bucket) {
      addBucket(period, bucket.capacity() + permits, startNanos);
    } else if (limit instanceof TokenBucket
        || limit instanceof LeakyBucket
        || limit instanceof WarmUpBucket) {
      addBucket(period, limit.capacity(), startNanos);
    } else if (!labelled) {
      throw new IllegalArgumentException("must be of a known kind: limit=" + limit);
    }
  }

  /**
   * Whether an admission of one permit is over.
   *
   * @param windowNanos label of a fixed window
   */
  boolean isOver(long stampNanos, long windowNanos) {
    if (labelled) {
      return byWindow.merge(windowNanos, 1L, Long::sum) > permits;
    }
    boolean over = false;
    for (Bound bound : bounds) {
      over |= !bound.allows(stampNanos + STAMP_RESOLUTION_NANOS);
    }
    return over;
  }

  private void addBucket(long period, long capacity, long startNanos) {
    CentralCounter bucket =
        new CentralCounter(new TokenBucket(permits, period, capacity), startNanos);
    bounds.add(atNanos -> bucket.admits(1, atNanos));
  }

  private void addLog(long length) {
    Deque<Long> log = new ArrayDeque<>();
    bounds.add(
        atNanos -> {
          while (!log.isEmpty() && log.getFirst() <= atNanos - length) {
            log.removeFirst();
          }
          return log.size() < permits && log.add(atNanos - STAMP_RESOLUTION_NANOS);
        });
  }

  private static long ceilDiv(long part, long divisor) {
    return -Math.floorDiv(-part, divisor);
  }
}
