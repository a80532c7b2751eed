package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.DemandFall;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewalTerms;

/**
 * The steady part of a demand that has fallen by more than chance, where permits come one by one:
 * it is measured over a while that begins before the fall, and may be on its way further down. So
 * no share grows by it, and none begins, before it has been asked for as long as any other.
 */
final class FallenDemand {
  private static final double NANOS_PER_SECOND = 1e9;

  private FallenDemand() {}

  /**
   * The newest report, without what is not steady of it.
   *
   * @param before the holder as it was
   * @param booked with the cells that were reported
   */
  static LastReport steadyOf(LastReport newest, Holder before, Holder booked, Limit limit) {
    if (!(limit.renewal() instanceof RenewalTerms.Steady)) {
      return newest;
    }
    if (!hasFallen(newest, before, booked)) {
      return newest.withoutPause();
    }
    long permits = booked.share().offered().permits();
    return newest.withoutPause().steadyAtMost(permits * NANOS_PER_SECOND / limit.periodNanos());
  }

  /** An instance ends its share for that, and else only when nothing is asked for. */
  private static boolean hasFallen(LastReport newest, Holder before, Holder booked) {
    boolean endsShare = before.cells().hasShareInUse() && !booked.cells().hasShareInUse();
    double steady = before.report().steadyPerSecond();
    return endsShare
        || DemandFall.isMoreThanChance(
            steady, newest.demandPerSecond(), newest.need().cost().typical());
  }
}
