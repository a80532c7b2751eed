package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import org.jspecify.annotations.Nullable;

/**
 * When it is to be known how much was taken of a sliding window: before its next border, as near to
 * it as passes come, since at the enforcer a window ends just then.
 */
final class BorderMark {
  private BorderMark() {}

  /** Whether a border comes so soon that each pass is to note what was taken. */
  static boolean isNear(BookSettings settings, long border, long now) {
    return border >= now && now >= nearFrom(settings, border);
  }

  /** From when on it comes so soon; {@code Long.MAX_VALUE} where there is none. */
  static long nearFrom(BookSettings settings, long border) {
    return border == Long.MIN_VALUE
        ? Long.MAX_VALUE
        : border - settings.reportIntervalNanos() - 2 * settings.urgentIntervalNanos();
  }

  /** Local time of the next border; {@code Long.MIN_VALUE} when no count is needed. */
  static long next(Limit limit, PartitionLink link, @Nullable KnownQuota answer, long now) {
    if (answer == null || !limit.bordersMatter()) {
      return Long.MIN_VALUE;
    }
    // The quota is whole again at a border, which need not be one of the enforcer's own clock.
    long local = link.certainlyBefore(answer.resetNanos());
    return local == Long.MIN_VALUE ? local : now + Math.floorMod(local - now, limit.borderNanos());
  }
}
