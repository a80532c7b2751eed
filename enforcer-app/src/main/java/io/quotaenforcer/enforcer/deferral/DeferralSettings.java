package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.deferral.QueueBounds;
import io.quotaenforcer.schemas.topic.Topics;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What the queues of a partition are kept by.
 *
 * @param bounds of one partition
 * @param idRetention how long an id is known after it came
 * @param replaysKept how long a replay may be read after its release: longer, none is answered
 */
public record DeferralSettings(
    Fleet fleet,
    Clocks clocks,
    Pace pace,
    QueueBounds bounds,
    Duration idRetention,
    Duration replaysKept) {
  /**
   * What is fixed for the life of the prefix.
   *
   * @param partitions of the topics
   */
  public record Fleet(int partitions, int maxInstances) {}

  /**
   * The time.
   *
   * @param epochNanos the enforcer's clock
   * @param monotonicNanos a clock that never jumps; leases run on it
   */
  public record Clocks(LongSupplier epochNanos, LongSupplier monotonicNanos) {}

  /**
   * How much is done at a time.
   *
   * @param tick time between two looks at queues that are at work
   * @param atWork most queues that are at work at once: they cost memory
   * @param releasesPerTick most requests that are released, or put aside, in one tick
   */
  public record Pace(Duration tick, int atWork, int releasesPerTick) {}

  private static final Duration ID_RETENTION = Duration.ofMinutes(10);

  /**
   * What a tick does is seen only once it is committed, and each transaction in which queues have a
   * part costs the brokers several partitions more.
   */
  private static final Duration TICK = Duration.ofMillis(50);

  private static final int AT_WORK = 10_000;
  private static final int RELEASES_PER_TICK = 1_000;

  /** Ids are known for 10 minutes; a look each 50 ms at no more than 10,000 queues. */
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
