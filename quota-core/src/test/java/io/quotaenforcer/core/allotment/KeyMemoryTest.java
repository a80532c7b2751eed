package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import org.junit.jupiter.api.Test;

class KeyMemoryTest {
  private static final KeyHash HASH = new KeyHash(1, 2);
  private static final long NEVER = Long.MIN_VALUE;
  private static final long KEPT = 10_000;
  private static final long PERIOD = 1_000;
  private static final QuotaKey A = key("rule", "a");
  private static final QuotaKey B = key("rule", "b");
  private static final QuotaKey C = key("rule", "c");
  private static final KnownQuota ANSWER = new KnownQuota(40, 60, 700, true);

  private final KeyMemory memory = new KeyMemory(HASH, 2, KEPT);

  private static void sweep(KeyMemory memory, long now) {
    for (int i = 0; i < KeyMemory.TABLES; i++) {
      memory.sweep(now);
    }
  }

  private static DormantKey rest(long creditFrom) {
    return new DormantKey(100, creditFrom, 100 + PERIOD, ANSWER);
  }

  @Test
  void recall_neverSeen_mayHaveCreditAtOnce() {
    assertThat(memory.recall(A, PERIOD, 0)).isEqualTo(Origin.forgotten(NEVER, NEVER));
  }

  @Test
  void recall_forgotten_mayHaveCreditWhenItsWindowIsOver() {
    memory.forgotten(A, 100);

    assertThat(memory.recall(A, PERIOD, 0)).isEqualTo(Origin.forgotten(100, 100));
    assertThat(memory.size()).isZero();
  }

  @Test
  void recall_forgottenTwice_waitsForTheLater() {
    memory.forgotten(A, 200);
    memory.forgotten(A, 100);

    assertThat(memory.recall(A, PERIOD, 0).creditFromNanos()).isEqualTo(200);
  }

  @Test
  void recall_windowIsOver_isAsIfNeverSeen() {
    memory.forgotten(A, 100);

    sweep(memory, 99);
    assertThat(memory.size()).isOne();
    sweep(memory, 100);

    assertThat(memory.size()).isZero();
    assertThat(memory.recall(A, PERIOD, 100)).isEqualTo(Origin.forgotten(NEVER, NEVER));
  }

  @Test
  void recall_atRest_knowsTheAnswerAndWhenItMayHaveCredit() {
    memory.rested(A, rest(500), 300);

    assertThat(memory.recall(A, PERIOD, 400))
        .isEqualTo(new Origin(true, 500, 400 + PERIOD, new KnownQuota(40, 60, 700, false)));
    assertThat(memory.recall(A, PERIOD, 400)).isEqualTo(Origin.forgotten(NEVER, NEVER));
  }

  @Test
  void recall_atRestWithoutAnswer_knowsNone() {
    memory.rested(A, new DormantKey(100, 500, 1_100, null), 300);

    assertThat(memory.recall(A, PERIOD, 400).answer()).isNull();
  }

  @Test
  void recall_atRestAndMayHaveCredit_mayAtOnce() {
    memory.rested(A, rest(300), 300);

    assertThat(memory.recall(A, PERIOD, 400).creditFromNanos()).isEqualTo(NEVER);
  }

  @Test
  void sweep_keysAtRest_areKeptAsLongAsTheyMatter() {
    KeyMemory large = new KeyMemory(HASH, 100, KEPT);
    large.rested(A, rest(500), 300);
    large.rested(B, rest(100 + 2 * KEPT), 300);

    sweep(large, 100 + KEPT - 1);
    assertThat(large.size()).isEqualTo(2);
    sweep(large, 100 + KEPT);
    assertThat(large.size()).isOne();
    assertThat(large.recall(B, PERIOD, 0).isSettled()).isTrue();
  }

  @Test
  void forgetAnswers_keysAtRest_knowTheRest() {
    memory.rested(A, rest(500), 300);

    memory.forgetAnswers();

    assertThat(memory.recall(A, PERIOD, 400)).isEqualTo(new Origin(true, 500, 400 + PERIOD, null));
  }

  @Test
  void remember_moreThanFit_holdsAllBackUntilTheyAreOver() {
    memory.forgotten(A, 100);
    memory.forgotten(B, 112);
    memory.forgotten(C, 120);

    assertThat(memory.recall(C, PERIOD, 0).creditFromNanos()).isEqualTo(120);
    assertThat(memory.recall(key("rule", "d"), PERIOD, 0).creditFromNanos()).isEqualTo(120);
    assertThat(memory.recall(A, PERIOD, 0).creditFromNanos()).isEqualTo(120);
  }

  @Test
  void remember_oneAtRestWhereThereIsNoRoom_holdsNobodyBackUnlessItMustWait() {
    memory.forgotten(A, 100);
    memory.forgotten(B, 112);

    memory.rested(C, new DormantKey(0, NEVER, NEVER, ANSWER), 0);
    assertThat(memory.recall(key("rule", "d"), PERIOD, 0).creditFromNanos()).isEqualTo(NEVER);

    memory.rested(C, rest(500), 0);
    assertThat(memory.recall(key("rule", "d"), PERIOD, 0).creditFromNanos())
        .isEqualTo(100 + PERIOD);
  }

  @Test
  void sweep_roomIsShort_dropsWhatNothingDependsOn() {
    memory.rested(A, rest(500), 300);
    memory.rested(B, rest(300), 300);

    sweep(memory, 100 + PERIOD - 1);
    assertThat(memory.size()).isEqualTo(2);
    sweep(memory, 100 + PERIOD + 3);

    assertThat(memory.recall(A, PERIOD, 500).isSettled()).as("must wait for credit").isTrue();
    assertThat(memory.recall(B, PERIOD, 500).isSettled()).isFalse();
  }

  @Test
  void sweep_usedLaterThanItMustWait_isKeptAsLongAsItCountsAsUsed() {
    KeyMemory large = new KeyMemory(HASH, 100, 0);
    large.rested(A, rest(500), 300);

    sweep(large, 100 + PERIOD - 1);
    assertThat(large.size()).isOne();
    sweep(large, 100 + PERIOD);
    assertThat(large.size()).isZero();
  }
}
