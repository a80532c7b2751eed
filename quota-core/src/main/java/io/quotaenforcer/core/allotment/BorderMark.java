package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.QuotaAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Has it known how much was taken of a sliding window before its next border, as near to it as
 * passes come: at the enforcer a window ends just then. Guarded by the monitor of its key
 * allotment.
 */
final class BorderMark {
  private final BookSettings settings;
  private final HeldCells cells;
  private long markedNanos = Long.MIN_VALUE;

  BorderMark(BookSettings settings, HeldCells cells) {
    this.settings = settings;
    this.cells = cells;
  }

  /** Whether {@link #mark} is to be called at each pass. */
  boolean isNear(Limit limit, PartitionLink link, @Nullable QuotaAnswer answer, long now) {
    long border = next(limit, link, answer, now);
    return border >= now
        && border - now <= settings.reportIntervalNanos() + 2 * settings.urgentIntervalNanos();
  }

  void mark(Limit limit, PartitionLink link, @Nullable QuotaAnswer answer, long now) {
    if (now <= markedNanos) {
      cells.confirmMark(now);
    }
    if (isNear(limit, link, answer, now)) {
      markedNanos = next(limit, link, answer, now);
      cells.mark();
    }
  }

  /** Local time of the next border; {@code Long.MIN_VALUE} when no count is needed. */
  private static long next(
      Limit limit, PartitionLink link, @Nullable QuotaAnswer answer, long now) {
    if (answer == null || !limit.bordersMatter()) {
      return Long.MIN_VALUE;
    }
    // The quota is whole again at a border, which need not be one of the enforcer's own clock.
    long local = link.certainlyBefore(answer.resetNanos());
    return local == Long.MIN_VALUE ? local : now + Math.floorMod(local - now, limit.borderNanos());
  }
}
