package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.core.deferral.QueueBounds;
import io.quotaenforcer.schemas.setting.SettingValues;
import java.time.Duration;

/**
 * Durations in the ledger.
 *
 * @param allotmentTtl longest lease
 * @param shares of limits that instances have for themselves
 * @param maxClockSkew how far two enforcers' clocks may differ
 * @param countsRetention how long the count of a window is kept after it
 * @param eventDedupRetention how long ids of request events are remembered
 * @param eventMaxFuture how far ahead a request event may be
 * @param deferred bounds on waiting requests in all partitions together
 */
public record LedgerConfig(
    Duration allotmentTtl,
    Shares shares,
    Duration maxClockSkew,
    Duration countsRetention,
    Duration eventDedupRetention,
    Duration eventMaxFuture,
    QueueBounds deferred) {
  /**
   * Shares of limits.
   *
   * @param term for how long an instance may use one without an answer
   * @param ofBuckets whether there are shares of buckets that leases can carry
   * @param restTerm for how long permits may be kept that nobody asks for
   */
  public record Shares(Duration term, boolean ofBuckets, Duration restTerm) {}

  static LedgerConfig of(SettingValues values) {
    return new LedgerConfig(
        values.get(EnforcerSettings.ALLOTMENT_TTL),
        new Shares(
            values.get(EnforcerSettings.SHARE_TERM),
            values.get(EnforcerSettings.SHARE_BUCKETS),
            values.get(EnforcerSettings.REST_TERM)),
        values.get(EnforcerSettings.MAX_CLOCK_SKEW),
        values.get(EnforcerSettings.COUNTS_RETENTION),
        values.get(EnforcerSettings.EVENT_DEDUP_RETENTION),
        values.get(EnforcerSettings.EVENT_MAX_FUTURE),
        new QueueBounds(
            values.get(EnforcerSettings.DEFERRED_MAX_REQUESTS),
            (long) values.get(EnforcerSettings.DEFERRED_MAX_MB) << 20));
  }

  /** Bounds on deferred requests waiting in one partition. */
  public QueueBounds deferralBounds(int partitions) {
    return new QueueBounds(
        Math.max(1, deferred.requests() / partitions), Math.max(1, deferred.bytes() / partitions));
  }
}
