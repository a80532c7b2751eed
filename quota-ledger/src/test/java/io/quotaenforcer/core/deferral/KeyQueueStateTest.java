package io.quotaenforcer.core.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import org.junit.jupiter.api.Test;

/** Effects of each step on a queue, and the parts that it leaves alone. */
class KeyQueueStateTest {
  private static final long NOW = 1_700_000_000_000_000_000L;
  private static final KeyQueue EMPTY = KeyQueue.empty(OnDelete.RELEASE, NOW);

  private static KeyQueue with(KeyQueue queue, Lane lane, long bytes, long deferredMillis) {
    return queue.add(lane, bytes, deferredMillis, OnDelete.RELEASE);
  }

  @Test
  void empty_hasNothing_andNumbersAboveThoseOfAnEarlierMicrosecond() {
    assertThat(EMPTY.waiting()).isZero();
    assertThat(EMPTY.bytes()).isZero();
    assertThat(EMPTY.unacknowledged()).isZero();
    assertThat(EMPTY.dueNanos()).isEqualTo(KeyQueue.NOT_DUE);
    for (Lane lane : Lane.values()) {
      assertThat(EMPTY.lane(lane).next()).isEqualTo(NOW / 1_000);
      assertThat(EMPTY.waits(lane, NOW / 1_000)).isTrue();
      assertThat(EMPTY.waits(lane, NOW / 1_000 - 1)).isFalse();
    }
  }

  @Test
  void add_request_isAtTheEndOfItsLane_andNoOtherLaneChanges() {
    KeyQueue queue = with(with(EMPTY, Lane.NORMAL, 10, 5), Lane.NORMAL, 7, 6);

    assertThat(queue.lane(Lane.NORMAL).next()).isEqualTo(EMPTY.lane(Lane.NORMAL).next() + 2);
    assertThat(queue.lane(Lane.NORMAL).first()).isEqualTo(EMPTY.lane(Lane.NORMAL).first());
    assertThat(queue.lane(Lane.NORMAL).waiting()).isEqualTo(2);
    assertThat(queue.lane(Lane.HIGH)).isEqualTo(EMPTY.lane(Lane.HIGH));
    assertThat(queue.lane(Lane.LOW)).isEqualTo(EMPTY.lane(Lane.LOW));
    assertThat(queue.bytes()).isEqualTo(17);
  }

  @Test
  void add_request_saysWhatTheRuleSaysNowOfItsDeletion() {
    KeyQueue queue = with(EMPTY, Lane.LOW, 1, 1);
    assertThat(queue.add(Lane.LOW, 1, 1, OnDelete.DEAD_LETTER).onDelete())
        .isEqualTo(OnDelete.DEAD_LETTER);
    assertThat(queue.onDelete()).isEqualTo(OnDelete.RELEASE);
  }

  @Test
  void oldestMillis_isThatOfTheLaneThatWaitsTheLongest() {
    assertThat(EMPTY.oldestMillis(99)).as("nothing waits").isEqualTo(99);
    KeyQueue queue = with(with(EMPTY, Lane.HIGH, 1, 30), Lane.LOW, 1, 20);
    assertThat(queue.oldestMillis(99)).isEqualTo(20);
    KeyQueue withoutLow = queue.remove(Lane.LOW, 1);
    assertThat(withoutLow.oldestMillis(99)).as("a lane in which nothing waits").isEqualTo(30);
  }

  @Test
  void oldestMillis_whoCameBehind_makesItNoYounger_andTheHeadMakesItSo() {
    KeyQueue queue = with(with(EMPTY, Lane.HIGH, 1, 30), Lane.HIGH, 1, 50);
    assertThat(queue.oldestMillis(99)).isEqualTo(30);

    KeyQueue released = queue.release(queue.lane(Lane.HIGH).first(), 1, 30);
    assertThat(released.oldestMillis(99)).as("not seen yet at the head").isEqualTo(30);
    KeyQueue next = with(released, Lane.HIGH, 1, 60);
    KeyQueue second = next.release(next.lane(Lane.HIGH).first(), 1, 50);
    assertThat(second.oldestMillis(99)).isEqualTo(50);
  }

  @Test
  void remove_request_leavesItsNumberAsAGap() {
    KeyQueue queue = with(with(EMPTY, Lane.HIGH, 10, 1), Lane.HIGH, 20, 2);
    KeyQueue removed = queue.remove(Lane.HIGH, 10);

    assertThat(removed.lane(Lane.HIGH).next()).isEqualTo(queue.lane(Lane.HIGH).next());
    assertThat(removed.lane(Lane.HIGH).first()).isEqualTo(queue.lane(Lane.HIGH).first());
    assertThat(removed.waiting()).isEqualTo(1);
    assertThat(removed.bytes()).isEqualTo(20);
    assertThat(removed.unacknowledged()).isZero();
  }

  @Test
  void release_pastAGap_nothingBeforeItWaitsAnyMore() {
    KeyQueue queue = with(with(EMPTY, Lane.HIGH, 10, 1), Lane.HIGH, 20, 2).remove(Lane.HIGH, 10);
    long number = queue.lane(Lane.HIGH).first() + 1;
    KeyQueue released = queue.release(number, 20, 2);

    assertThat(released.waits(Lane.HIGH, number)).isFalse();
    assertThat(released.waits(Lane.HIGH, number + 1)).isTrue();
    assertThat(released.waiting()).isZero();
    assertThat(released.bytes()).isZero();
    assertThat(released.unacknowledged()).isEqualTo(1);
    assertThat(released.acknowledge().unacknowledged()).isZero();
  }

  @Test
  void clear_oneOfTwoLanes_keepsTheBytes_theLast_hasNone() {
    KeyQueue queue = with(with(EMPTY, Lane.HIGH, 10, 1), Lane.LOW, 20, 2);

    KeyQueue one = queue.clear(Lane.HIGH);
    assertThat(one.waiting()).isEqualTo(1);
    assertThat(one.bytes()).as("whose they were is not known").isEqualTo(30);
    assertThat(one.lane(Lane.HIGH).first()).isEqualTo(queue.lane(Lane.HIGH).next());
    KeyQueue none = one.clear(Lane.LOW);
    assertThat(none.waiting()).isZero();
    assertThat(none.bytes()).isZero();
  }

  @Test
  void expedited_goFirst_andDoNotTakeTheTurnOfTheOthers() {
    KeyQueue queue = with(with(EMPTY, Lane.NORMAL, 1, 1), Lane.EXPEDITED, 1, 2);
    assertThat(queue.nextLane()).isEqualTo(Lane.EXPEDITED);

    KeyQueue after = queue.release(queue.lane(Lane.EXPEDITED).first(), 1, 2);
    assertThat(after.turn()).isEqualTo(queue.turn());
    assertThat(after.nextLane()).isEqualTo(Lane.NORMAL);
    KeyQueue released = after.release(after.lane(Lane.NORMAL).first(), 1, 1);
    assertThat(released.waiting()).isZero();
    assertThat(released.unacknowledged()).isEqualTo(2);
  }

  @Test
  void times_areKeptByEveryStep() {
    KeyQueue timed = with(EMPTY, Lane.HIGH, 1, 1).withNextRelease(77).withDue(88);

    KeyQueue changed =
        with(timed, Lane.LOW, 1, 1)
            .remove(Lane.LOW, 1)
            .release(timed.lane(Lane.HIGH).first(), 1, 1)
            .clear(Lane.NORMAL)
            .acknowledge();

    assertThat(changed.nextReleaseNanos()).isEqualTo(77);
    assertThat(changed.dueNanos()).isEqualTo(88);
    assertThat(changed.isIdle(NOW)).as("it is due").isFalse();
    assertThat(changed.withDue(KeyQueue.NOT_DUE).isIdle(76)).isFalse();
    assertThat(changed.withDue(KeyQueue.NOT_DUE).isIdle(77)).isTrue();
  }
}
