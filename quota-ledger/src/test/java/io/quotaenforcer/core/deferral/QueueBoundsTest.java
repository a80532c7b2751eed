package io.quotaenforcer.core.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.deferral.QueueBounds.Arrival;
import io.quotaenforcer.core.deferral.QueueBounds.Refusal;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueueBoundsTest {
  private static final FixedWindow TEN_PER_SECOND = new FixedWindow(10, 1_000_000_000L);
  private static final Defer RULE =
      new Defer(2_000, Release.AS_QUOTA_FREES, 3, 1_000, 16, OnDelete.RELEASE);
  private static final QueueBounds BOUNDS = new QueueBounds(100, 10_000);

  @Test
  void requestForWhichThereIsRoom_mayWait() {
    assertThat(refusal(arrival(1, 100, 0, 2, 0, 0))).isEmpty();
    assertThat(refusal(arrival(10, 800, 5_001, 2, 99, 9_200))).isEmpty();
  }

  @Test
  void requestThatCanNeverBeReleased_isRefusedForGood() {
    assertThat(refusal(arrival(11, 1, 0, 0, 0, 0)))
        .contains(new Refusal("it costs 11 permits, and the limit never has more than 10", 0));
    assertThat(refusal(arrival(1, 1, 5_000, 0, 0, 0)))
        .contains(new Refusal("its deadline has passed", 0));
    assertThat(refusal(arrival(1, 1_001, 0, 0, 0, 0)))
        .contains(new Refusal("it has more bytes than queue-bytes: 1000", 0));
  }

  /** Ten permits a second, of which replays have a fifth for sure: one in half a second. */
  @Test
  void fullQueue_refusesUntilOneIsReleased() {
    assertThat(refusal(arrival(1, 1, 0, 3, 0, 0)))
        .contains(new Refusal("the queue is full: 3 requests wait for its quota key", 500));
    assertThat(refusal(arrival(2, 801, 0, 2, 0, 0)))
        .contains(new Refusal("the queue is full: 1000 bytes wait for its quota key", 1_000));
  }

  /** 28 permits in a February of 28 days, of which replays have a fifth: one in five days. */
  @Test
  void fullQueue_ofACalendarMonth_refusesByTheLengthOfThisOne() {
    FixedWindow monthly =
        new FixedWindow(28, new Windows.Calendar(Windows.CalendarUnit.MONTH, ZoneOffset.UTC));
    long february = Instant.parse("2026-02-10T00:00:00Z").toEpochMilli();

    assertThat(BOUNDS.refusal(arrival(1, 1, 0, 3, 0, 0), RULE, monthly, february))
        .map(Refusal::retryAfterMillis)
        .contains(Duration.ofDays(5).toMillis());
  }

  @Test
  void fullEnforcer_refuses() {
    assertThat(refusal(arrival(1, 1, 0, 0, 100, 0)))
        .contains(new Refusal("the queue is full: the enforcer keeps no more requests", 500));
    assertThat(refusal(arrival(1, 2, 0, 0, 0, 9_999))).isPresent();
  }

  private static Arrival arrival(
      long cost, long size, long deadline, int waiting, long allWaiting, long allBytes) {
    KeyQueue queue = KeyQueue.empty(OnDelete.RELEASE, 0);
    for (int i = 0; i < waiting; i++) {
      queue = queue.add(Lane.NORMAL, 100, 0, OnDelete.RELEASE);
    }
    return new Arrival(cost, size, deadline, queue, allWaiting, allBytes);
  }

  private static Optional<Refusal> refusal(Arrival arrival) {
    return BOUNDS.refusal(arrival, RULE, TEN_PER_SECOND, 5_000);
  }
}
