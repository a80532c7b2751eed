package io.quotaenforcer.simulation;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Checks that each instance kept to what it may open in a period. A permit of a window is judged by
 * its label; one that its instance has labelled with a window after the next one, since it did not
 * know the enforcer's clock yet, beside others of that label only: an enforcer takes such a label
 * for the window of now. Without labels, an instance's periods may differ from those of true time,
 * and shift once it knows the enforcer's clock: any period of true time may overlap three of them.
 */
final class OpeningOracle {
  private static final int PERIODS_IN_ONE = 3;

  private OpeningOracle() {}

  private record Period(long epoch, long generation, long startNanos, boolean mistaken) {}

  /**
   * Permits that an instance opened beyond its allowance, in the worst period.
   *
   * @param limits by generation, the largest that was ever in force
   */
  static long worstExcess(List<Admission> admissions, LongFunction<Limit> limits) {
    Map<Period, Long> opened = new HashMap<>();
    long worst = 0;
    for (Admission admission : admissions) {
      if (admission.source() != PermitSource.OPENING) {
        continue;
      }
      Limit limit = limits.apply(admission.generation());
      long at = limit.bookedAt(admission.atNanos(), admission.windowStartNanos());
      long start = limit.windowStart(at);
      boolean mistaken = start > limit.windowEnd(limit.windowStart(admission.atNanos()));
      Period period = new Period(admission.epoch(), admission.generation(), start, mistaken);
      long sum = opened.merge(period, admission.cost(), Long::sum);
      long most = limit.mostInAPeriod() * (limit instanceof WindowedLimit ? 1 : PERIODS_IN_ONE);
      worst = Math.max(worst, sum - most);
    }
    return worst;
  }
}
