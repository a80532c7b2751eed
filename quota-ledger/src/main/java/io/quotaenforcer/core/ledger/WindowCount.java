package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.PermitCount;

/**
 * A quota key's count in one window, or a change to it.
 *
 * @param windowStartNanos start of the window in enforcer time
 * @param used permits; a change is negative when permits were put back after they were reported
 * @param throttled permits
 */
public record WindowCount(long windowStartNanos, long used, long throttled) {
  /** Both together, as far as counts go. */
  public WindowCount plus(WindowCount more) {
    if (more.windowStartNanos != windowStartNanos) {
      throw new IllegalArgumentException(
          "must be of window %d: %s".formatted(windowStartNanos, more));
    }
    return new WindowCount(
        windowStartNanos,
        PermitCount.plus(used, more.used),
        PermitCount.plus(throttled, more.throttled));
  }
}
