package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.RequestCost;
import org.jspecify.annotations.Nullable;

/**
 * A key with all that decides when it is reported and what it gives back.
 *
 * @param instances most that there may be
 * @param answer the enforcer's newest, if there was one
 * @param cell the granted one in use
 * @param share the one that is valid
 * @param opens whether the instance opened the key since its last report
 * @param openable permits that it may open now; 0 where that does not matter
 */
record JudgedKey(
    KeyView key,
    int instances,
    @Nullable KnownQuota answer,
    @Nullable LeaseCell cell,
    @Nullable HeldShare share,
    boolean opens,
    long openable) {
  /** Others may give back what they hold of a window while more than such a part is not used. */
  private static final int FEW_UNUSED = 8;

  Limit limit() {
    return key.limit();
  }

  /** Permits that each instance had if all had the same. */
  long evenShare() {
    return limit().capacity() / instances;
  }

  PartitionLink link() {
    return key.link();
  }

  UnmetDemand unmet() {
    return key.unmet();
  }

  /** What its requests cost. */
  RequestCost cost() {
    return key.cost();
  }

  boolean isOfSlots() {
    return key.terms().isOfSlots();
  }

  boolean isScarce() {
    return answer != null && answer.scarce();
  }

  boolean isIdle() {
    return key.isIdle();
  }

  long idleFromNanos() {
    return key.idleFromNanos();
  }

  long now() {
    return key.now();
  }

  /** Time until the quota is whole again, or its window ends; 0 while that is not known. */
  long nanosToReset() {
    return answer == null ? 0 : answer.resetNanos() - link().toEnforcer(now());
  }

  /** Time until the current window of a windowed limit ends. */
  double leftOfWindow() {
    long enforcerNow = link().toEnforcer(now());
    return (double) (limit().windowEnd(limit().windowStart(enforcerNow)) - enforcerNow);
  }

  private boolean isPenalized() {
    return answer != null
        && answer.isPenalized(link().toEnforcer(now()) + 3 * link().answerNanos());
  }

  /** Whether no permits can be had before the window or a penalty ends, whatever is reported. */
  boolean isSpent() {
    return isPenalized() || isWindowSpent();
  }

  private boolean isWindowSpent() {
    return answer != null
        && limit() instanceof WindowedLimit
        && answer.remaining() == 0
        && limit().capacity() - answer.used() <= limit().capacity() / FEW_UNUSED
        && (cell == null || cell.room() <= 0)
        && (share == null || share.room(now()) <= 0)
        && nanosToReset() > 3 * link().answerNanos();
  }
}
