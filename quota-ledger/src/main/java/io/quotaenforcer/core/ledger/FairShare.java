package io.quotaenforcer.core.ledger;

import java.util.Arrays;

/** Max-min fair division (Bertsekas and Gallager, Data Networks, 6.5.2). */
final class FairShare {
  private FairShare() {}

  /**
   * The most that any one holder may have of {@code pool}, in whole permits, so that nobody gets
   * less for the sake of one who has more: the water level, rounded up. {@code Long.MAX_VALUE} when
   * the pool covers every want.
   */
  static long level(long pool, long[] wants) {
    long[] ascending = wants.clone();
    Arrays.sort(ascending);
    long left = Math.max(0, pool);
    for (int i = 0; i < ascending.length; i++) {
      int sharers = ascending.length - i;
      if (ascending[i] > left / sharers) {
        return (left + sharers - 1) / sharers;
      }
      left -= ascending[i];
    }
    return Long.MAX_VALUE;
  }
}
