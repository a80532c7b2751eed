package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.deferral.QueueBounds;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.Validity;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.enforcer.clock.EnforcerClock;
import io.quotaenforcer.enforcer.config.LedgerConfig;
import io.quotaenforcer.enforcer.deferral.DeferralSettings;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Settings of the topology besides the topics.
 *
 * @param partitions of the usage and snapshot topics, fixed for the life of the prefix
 * @param countsRetention how long windowed counts are kept after their window
 * @param deferral of the queues of deferred requests
 */
public record TopologySettings(
    int partitions,
    LedgerSettings ledger,
    EnforcerClock clock,
    Duration countsRetention,
    EventTimes events,
    DeferralSettings deferral) {
  /**
   * Bounds on the times of request events.
   *
   * @param retention how long their ids are remembered, and how late one may come
   * @param future how far ahead of the enforcer's clock one may be
   */
  public record EventTimes(Duration retention, Duration future) {}

  /** Answers go on while a commit takes a few times as long as it should. */
  private static final int COMMITS_AHEAD = 3;

  /** Derives the settings from an enforcer's configuration. */
  public static TopologySettings of(
      LedgerConfig config, Duration commitInterval, PrefixInfo prefix, EnforcerClock clock) {
    LedgerSettings defaults = LedgerSettings.defaults(prefix.maxInstances());
    LedgerSettings ledger =
        new LedgerSettings(
            new Validity(
                config.allotmentTtl().toNanos(),
                config.shares().term().toNanos(),
                config.shares().ofBuckets(),
                config.shares().restTerm().toNanos()),
            defaults.loops(),
            prefix.maxInstances(),
            defaults.retentionNanos(),
            Math.max(defaults.aheadNanos(), COMMITS_AHEAD * commitInterval.toNanos()),
            config.maxClockSkew().toNanos());
    return new TopologySettings(
        prefix.partitions(),
        ledger,
        clock,
        config.countsRetention(),
        new EventTimes(config.eventDedupRetention(), config.eventMaxFuture()),
        DeferralSettings.of(
            prefix.partitions(),
            prefix.maxInstances(),
            clock,
            System::nanoTime,
            config.deferralBounds(prefix.partitions())));
  }

  /** A day of counts, 10 minutes of event ids, events at most an hour ahead. */
  public static TopologySettings defaults(
      int partitions, LedgerSettings ledger, LongSupplier epochNanos) {
    return new TopologySettings(
        partitions,
        ledger,
        EnforcerClock.of(epochNanos),
        Duration.ofDays(1),
        new EventTimes(Duration.ofMinutes(10), Duration.ofHours(1)),
        DeferralSettings.of(
            partitions,
            ledger.maxInstances(),
            epochNanos,
            epochNanos,
            new QueueBounds(Long.MAX_VALUE, Long.MAX_VALUE)));
  }

  /** The same settings with another retention of counts. */
  public TopologySettings withCountsRetention(Duration retention) {
    return new TopologySettings(partitions, ledger, clock, retention, events, deferral);
  }

  /** The same settings with another retention of event ids. */
  public TopologySettings withEventRetention(Duration retention) {
    return new TopologySettings(
        partitions,
        ledger,
        clock,
        countsRetention,
        new EventTimes(retention, events.future()),
        deferral);
  }

  /** The same settings with queues kept by others. */
  public TopologySettings withDeferral(DeferralSettings newDeferral) {
    return new TopologySettings(partitions, ledger, clock, countsRetention, events, newDeferral);
  }
}
