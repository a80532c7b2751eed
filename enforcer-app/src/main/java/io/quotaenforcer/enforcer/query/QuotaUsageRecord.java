package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.ledger.Holding;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Counts of a quota key.
 *
 * @param quotaKey domain, rule and key values
 * @param limit in words, such as {@code 2 per 1s, sliding-window}
 * @param available permits neither used nor held; negative after a lowered limit
 * @param outstanding permits granted to instances and not reported as used
 * @param holders instances that hold permits or recently did
 * @param penaltyUntil when the penalty ends that the key is under; empty for none
 * @param windows newest first
 * @param held what each holder has
 */
public record QuotaUsageRecord(
    String quotaKey,
    String limit,
    long available,
    long outstanding,
    int holders,
    Optional<Instant> penaltyUntil,
    List<WindowUsage> windows,
    List<Holding> held) {
  public QuotaUsageRecord {
    windows = List.copyOf(windows);
    held = List.copyOf(held);
  }

  /**
   * Counts of one window.
   *
   * @param used permits of admitted requests
   * @param throttled permits of throttled requests
   */
  public record WindowUsage(Instant start, long used, long throttled) {}
}
