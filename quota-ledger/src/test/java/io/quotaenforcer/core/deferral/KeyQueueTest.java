package io.quotaenforcer.core.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyQueueTest {
  private static final long NOW = 1_700_000_000_000_000_000L;

  /** Beside a queue that holds the requests themselves: same order, same sums. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomSteps_keepOrderAndSums(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    KeyQueue queue = KeyQueue.empty(OnDelete.RELEASE, NOW);
    Map<Lane, Queue<Long>> model = new EnumMap<>(Lane.class);
    for (Lane lane : Lane.values()) {
      model.put(lane, new ArrayDeque<>());
    }
    long released = 0;
    for (int step = 0; step < 2_000; step++) {
      Lane lane = Seeded.oneOf(random, Lane.values());
      int what = random.nextInt(5);
      if (what < 2) {
        model.get(lane).add(queue.lane(lane).next());
        queue = queue.add(lane, 10, step, OnDelete.RELEASE);
      } else if (what == 2 && !model.get(lane).isEmpty()) {
        long last = model.get(lane).stream().reduce((a, b) -> b).orElseThrow();
        model.get(lane).remove(last);
        queue = queue.remove(lane, 10);
      } else if (queue.waiting() > 0) {
        Lane next = queue.nextLane();
        long number = model.get(next).remove();
        assertThat(number)
            .as("seed %d, step %d", seed, step)
            .isGreaterThanOrEqualTo(queue.lane(next).first());
        queue = queue.release(number, 10, step);
        assertThat(queue.waits(next, number)).isFalse();
        released++;
      }
      long waiting = model.values().stream().mapToLong(Queue::size).sum();
      assertThat(queue.waiting()).as("seed %d, step %d", seed, step).isEqualTo(waiting);
      assertThat(queue.bytes()).isEqualTo(10 * waiting);
    }
    assertThat(queue.unacknowledged()).isEqualTo((int) released).isPositive();
  }

  @Test
  void prioritiesThatAllWait_areReleasedSixToThreeToOne() {
    KeyQueue queue = KeyQueue.empty(OnDelete.RELEASE, NOW);
    for (int i = 0; i < 100; i++) {
      for (Lane lane : new Lane[] {Lane.HIGH, Lane.NORMAL, Lane.LOW}) {
        queue = queue.add(lane, 1, 1, OnDelete.RELEASE);
      }
    }
    Map<Lane, Integer> released = new EnumMap<>(Lane.class);
    for (int i = 0; i < 100; i++) {
      Lane lane = queue.nextLane();
      released.merge(lane, 1, Integer::sum);
      queue = queue.release(queue.lane(lane).first(), 1, 1);
      int soFar = released.getOrDefault(Lane.LOW, 0);
      assertThat(soFar).as("low after %d", i + 1).isBetween((i - 4) / 10, 1 + i / 10);
    }
    assertThat(released).isEqualTo(Map.of(Lane.HIGH, 60, Lane.NORMAL, 30, Lane.LOW, 10));
  }

  @Test
  void priorityThatWasEmpty_getsNothingForTheTimeBefore() {
    KeyQueue queue = KeyQueue.empty(OnDelete.RELEASE, NOW);
    for (int i = 0; i < 50; i++) {
      queue = queue.add(Lane.HIGH, 1, 1, OnDelete.RELEASE);
    }
    for (int i = 0; i < 20; i++) {
      queue = queue.release(queue.lane(Lane.HIGH).first(), 1, 1);
    }
    queue = queue.add(Lane.LOW, 1, 1, OnDelete.RELEASE).add(Lane.LOW, 1, 1, OnDelete.RELEASE);

    assertThat(queue.nextLane()).isEqualTo(Lane.HIGH);
  }

  @Test
  void expeditedRequest_isNext_andHasNoNumber() {
    KeyQueue queue =
        KeyQueue.empty(OnDelete.RELEASE, NOW)
            .add(Lane.HIGH, 1, 1, OnDelete.RELEASE)
            .add(Lane.EXPEDITED, 1, 1, OnDelete.RELEASE);

    assertThat(queue.nextLane()).isEqualTo(Lane.EXPEDITED);
    assertThat(KeyQueue.replayNumber(Lane.EXPEDITED, 5)).isZero();
    assertThat(KeyQueue.replayNumber(Lane.LOW, 5)).isEqualTo(5);
  }

  @Test
  void numbersOfALaterQueueOfTheKey_areHigher() {
    KeyQueue before = KeyQueue.empty(OnDelete.RELEASE, NOW).add(Lane.LOW, 1, 1, OnDelete.RELEASE);
    KeyQueue after = KeyQueue.empty(OnDelete.RELEASE, NOW + 1_000_000);

    assertThat(after.lane(Lane.LOW).next()).isGreaterThan(before.lane(Lane.LOW).next());
  }

  @Test
  void queue_isIdle_onceNothingWouldBeForgotten() {
    KeyQueue queue = KeyQueue.empty(OnDelete.RELEASE, NOW);
    assertThat(queue.isIdle(NOW)).isTrue();
    KeyQueue waiting = queue.add(Lane.LOW, 1, 1, OnDelete.RELEASE);
    assertThat(waiting.isIdle(NOW)).isFalse();
    KeyQueue released = waiting.release(waiting.lane(Lane.LOW).first(), 1, 1);
    assertThat(released.isIdle(NOW)).isFalse();
    KeyQueue acknowledged = released.acknowledge();
    assertThat(acknowledged.isIdle(NOW)).isTrue();
    assertThat(acknowledged.withNextRelease(NOW + 1).isIdle(NOW)).isFalse();
    assertThat(acknowledged.withDue(KeyQueue.AT_WORK).isIdle(NOW)).isFalse();
  }
}
