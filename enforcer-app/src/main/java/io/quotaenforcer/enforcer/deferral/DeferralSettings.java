package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.deferral.QueueBounds;
import io.quotaenforcer.schemas.topic.Topics;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What the queues of a partition are kept by.
 *
 * @param partitions of the topics, fixed for the life of the prefix
 * @param maxInstances fixed for the life of the prefix
 * @param epochNanos the enforcer's clock
 * @param monotonicNanos a clock that never jumps; leases run on it
 * @param bounds of one partition
 * @param idRetention how long an id is known after it came
 * @param tick time between two looks at queues that are at work
 * @param atWork most queues that are at work at once: they cost memory
 * @param releasesPerTick most requests that are released, or put aside, in one tick
 * @param replaysKept how long a replay may be read after its release: longer, none is answered
 */
public record DeferralSettings(
    int partitions,
    int maxInstances,
    LongSupplier epochNanos,
    LongSupplier monotonicNanos,
    QueueBounds bounds,
    Duration idRetention,
    Duration tick,
    int atWork,
    int releasesPerTick,
    Duration replaysKept) {
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
        partitions,
        maxInstances,
        epochNanos,
        monotonicNanos,
        bounds,
        ID_RETENTION,
        TICK,
        AT_WORK,
        RELEASES_PER_TICK,
        Topics.REPLAYS_KEPT);
  }
}
