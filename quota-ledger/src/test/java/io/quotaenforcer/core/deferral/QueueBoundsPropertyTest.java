package io.quotaenforcer.core.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.deferral.QueueBounds.Arrival;
import io.quotaenforcer.core.deferral.QueueBounds.Refusal;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueueBoundsPropertyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long NOW_MILLIS = 5_000;

  private static Defer rule(int share, long length, long bytes) {
    return new Defer(share, Release.AS_QUOTA_FREES, length, bytes, 16, OnDelete.RELEASE);
  }

  private static KeyQueue queue(int waiting, long bytesEach) {
    KeyQueue queue = KeyQueue.empty(OnDelete.RELEASE, 0);
    for (int i = 0; i < waiting; i++) {
      queue = queue.add(Lane.NORMAL, bytesEach, 0, OnDelete.RELEASE);
    }
    return queue;
  }

  /**
   * A request that waits leaves every bound kept, and one that is refused would have broken one.
   */
  @Test
  void refusal_anyArrival_isThereIfABoundWouldBeBroken_andOnlyThen() {
    int[] outcomes = new int[2];
    Seeded.check(
        20_000,
        random -> {
          Limit limit = new FixedWindow(1 + random.nextInt(30), SECOND);
          Defer rule =
              rule(1 + random.nextInt(10_000), 1 + random.nextInt(8), 1 + random.nextInt(2_000));
          QueueBounds bounds = new QueueBounds(1 + random.nextInt(20), 1 + random.nextInt(4_000));
          KeyQueue queue = queue(random.nextInt(5), random.nextInt(100));
          long allWaiting = queue.waiting() + random.nextInt(6);
          long allBytes = queue.bytes() + random.nextInt(500);
          long size = random.nextInt(400);
          long deadline = Seeded.oneOf(random, 0L, NOW_MILLIS - 1, NOW_MILLIS, NOW_MILLIS + 1);
          long cost = 1 + random.nextInt(12);

          Optional<Refusal> refusal =
              bounds.refusal(
                  new Arrival(cost, size, deadline, queue, allWaiting, allBytes),
                  rule,
                  limit,
                  NOW_MILLIS);

          boolean never =
              cost > limit.capacity()
                  || (deadline != 0 && deadline <= NOW_MILLIS)
                  || size > rule.queueBytes();
          boolean full =
              queue.waiting() + 1 > rule.queueLength()
                  || queue.bytes() + size > rule.queueBytes()
                  || allWaiting + 1 > bounds.requests()
                  || allBytes + size > bounds.bytes();
          assertThat(refusal.isPresent()).as("%s", refusal).isEqualTo(never || full);
          if (refusal.isPresent() && !never) {
            assertThat(refusal.get().retryAfterMillis()).isGreaterThanOrEqualTo(100);
          }
          outcomes[refusal.isPresent() ? 1 : 0]++;
        });
    assertThat(outcomes[0]).as("taken").isGreaterThan(500);
    assertThat(outcomes[1]).as("refused").isGreaterThan(500);
  }

  @Test
  void retryAfter_isTheTimeInWhichReplaysHaveAsManyPermits() {
    Limit hundredPerSecond = new FixedWindow(100, SECOND);
    assertThat(retryAfter(50, 10_000, hundredPerSecond)).isEqualTo(500);
    assertThat(retryAfter(50, 5_000, hundredPerSecond)).isEqualTo(1_000);
    assertThat(retryAfter(50, 1, hundredPerSecond)).isEqualTo(5_000_000);
    assertThat(retryAfter(1, 10_000, hundredPerSecond)).as("not at once").isEqualTo(100);
    assertThat(retryAfter(3, 10_000, new TokenBucket(1, 60 * SECOND, 5))).isEqualTo(180_000);
  }

  /** A limit of nothing gives no permits; what it says may not be a division by zero. */
  @Test
  void retryAfter_limitOfNothing_isForGood() {
    Refusal refusal =
        new QueueBounds(1, 1_000)
            .refusal(
                new Arrival(1, 1, 0, queue(1, 1), 1, 1),
                rule(10_000, 1, 10),
                new FixedWindow(0, SECOND),
                NOW_MILLIS)
            .orElseThrow();

    assertThat(refusal.retryAfterMillis()).isZero();
    assertThat(refusal.reason())
        .isEqualTo("it costs 1 permits, and the limit never has more than 0");
  }

  private static long retryAfter(long cost, int share, Limit limit) {
    return new QueueBounds(10, 1_000)
        .refusal(new Arrival(cost, 1, 0, queue(1, 1), 1, 1), rule(share, 1, 10), limit, NOW_MILLIS)
        .orElseThrow()
        .retryAfterMillis();
  }
}
