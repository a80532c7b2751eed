package io.quotaenforcer.enforcer.query;

import java.time.Instant;
import java.util.List;

/**
 * What was counted for a quota key.
 *
 * @param quotaKey domain, rule and key values
 * @param limit in words, such as {@code 2 per 1s, sliding-window}
 * @param available permits that nobody has used or holds; negative after a lowered limit
 * @param outstanding permits granted to instances, that they have not reported as used
 * @param holders instances that hold or held permits lately
 * @param windows newest first
 */
public record QuotaUsageRecord(
    String quotaKey,
    String limit,
    long available,
    long outstanding,
    int holders,
    List<WindowUsage> windows) {
  public QuotaUsageRecord {
    windows = List.copyOf(windows);
  }

  /**
   * What was counted in one window.
   *
   * @param used permits of admitted requests
   * @param throttled permits of throttled requests
   */
  public record WindowUsage(Instant start, long used, long throttled) {}
}
