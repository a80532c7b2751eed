package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.deferral.QueueBounds;
import io.quotaenforcer.schemas.topic.Topics;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Settings of a partition's queues.
 *
 * @param bounds of one partition
 * @param idRetention how long an id is remembered after its arrival
 * @param replaysKept how long after its release a replay can still be read, and answered
 */
public record DeferralSettings(
    Fleet fleet,
    Clocks clocks,
    Pace pace,
    QueueBounds bounds,
    Duration idRetention,
    Duration replaysKept) {
  /**
   * Facts fixed for the life of the prefix.
   *
   * @param partitions of the topics
   */
  public record Fleet(int partitions, int maxInstances) {}

  /**
   * The clocks.
   *
   * @param epochNanos the enforcer's clock
   * @param monotonicNanos a clock that never jumps; leases run on it
   */
  public record Clocks(LongSupplier epochNanos, LongSupplier monotonicNanos) {}

  /**
   * Bounds on the work done at a time.
   *
   * @param tick time between two looks at queues at work
   * @param atWork most queues at work at once: they cost memory
   * @param releasesPerTick most requests released, or put aside, in one tick
   */
  public record Pace(Duration tick, int atWork, int releasesPerTick) {}

  private static final Duration ID_RETENTION = Duration.ofMinutes(10);

  /**
   * The effects of a tick are visible only after a commit, and each transaction with queues in it
   * costs the brokers several partitions more.
   */
  private static final Duration TICK = Duration.ofMillis(50);

  private static final int AT_WORK = 10_000;
  private static final int RELEASES_PER_TICK = 1_000;

  /** Ids are known for 10 minutes; every 50 ms at most 10,000 queues are visited. */
  public static DeferralSettings of(
      int partitions,
      int maxInstances,
      LongSupplier epochNanos,
      LongSupplier monotonicNanos,
      QueueBounds bounds) {
    return new DeferralSettings(
        new Fleet(partitions, maxInstances),
        new Clocks(epochNanos, monotonicNanos),
        new Pace(TICK, AT_WORK, RELEASES_PER_TICK),
        bounds,
        ID_RETENTION,
        Topics.REPLAYS_KEPT);
  }
}
