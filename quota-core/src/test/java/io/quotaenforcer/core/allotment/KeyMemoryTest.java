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
  private static final KnownQuota ANSWER = new KnownQuota(40, 60, 700, true, 0);

  private final KeyMemory memory = new KeyMemory(HASH, 2, KEPT);

  private static void sweep(KeyMemory memory, long now) {
    for (int i = 0; i < KeyMemory.TABLES; i++) {
      memory.sweep(now);
    }
  }

  private static final OpeningState OPENING = new OpeningState(60, 290, 7, 0, 900);

  private static DormantKey rest(long neededUntil) {
    return new DormantKey(100, 100 + PERIOD, OPENING, neededUntil, ANSWER);
  }

  @Test
  void recall_neverSeen_isUnknown() {
    assertThat(memory.recall(A, PERIOD, 0)).isEqualTo(Origin.forgotten(NEVER, NEVER));
  }

  @Test
  void recall_atRest_knowsTheAnswerAndHowFarItIsOpen() {
    memory.rested(A, rest(500));

    assertThat(memory.recall(A, PERIOD, 400))
        .isEqualTo(new Origin(OPENING, NEVER, 400 + PERIOD, new KnownQuota(40, 60, 700, false, 0)));
    assertThat(memory.size()).isZero();
    assertThat(memory.recall(A, PERIOD, 400)).isEqualTo(Origin.forgotten(NEVER, NEVER));
  }

  @Test
  void recall_atRestWithoutAnswer_knowsNone() {
    memory.rested(A, new DormantKey(100, 1_100, OPENING, 500, null));

    assertThat(memory.recall(A, PERIOD, 400).answer()).isNull();
  }

  @Test
  void recall_thatIsNeverOpened_knowsWhatRemains() {
    memory.rested(A, new DormantKey(100, NEVER, null, NEVER, ANSWER));

    assertThat(memory.recall(A, PERIOD, 400))
        .isEqualTo(new Origin(null, NEVER, 400 + PERIOD, new KnownQuota(40, 60, 700, false, 0)));
  }

  @Test
  void recall_underAPenalty_knowsItsEnd() {
    KnownQuota penalized = new KnownQuota(0, 0, 900, true, 900);
    memory.rested(A, new DormantKey(100, NEVER, null, NEVER, penalized));

    assertThat(memory.recall(A, PERIOD, 400).answer())
        .isEqualTo(new KnownQuota(0, 0, 900, false, 900));
  }

  @Test
  void recall_restedTwice_knowsTheNewer_andWaitsForTheLater() {
    memory.rested(A, rest(5_000));
    memory.rested(A, new DormantKey(200, 300, OPENING, 500, null));

    assertThat(memory.recall(A, PERIOD, 400)).isEqualTo(new Origin(OPENING, NEVER, 5_000, null));
  }

  @Test
  void sweep_keysAtRest_areKeptAsLongAsTheyMatter() {
    KeyMemory large = new KeyMemory(HASH, 100, KEPT);
    large.rested(A, rest(500));
    large.rested(B, rest(100 + 2 * KEPT));

    sweep(large, 100 + KEPT - 1);
    assertThat(large.size()).isEqualTo(2);
    sweep(large, 100 + KEPT);
    assertThat(large.size()).isOne();
    assertThat(large.recall(B, PERIOD, 0).opening()).isEqualTo(OPENING);
  }

  @Test
  void forgetAnswers_keysAtRest_knowWhatTheyOpened() {
    memory.rested(A, rest(500));

    memory.forgetAnswers();

    OpeningState unknown = new OpeningState(OpeningState.ALL, 290, 7, 0, 0);
    assertThat(memory.recall(A, PERIOD, 400))
        .isEqualTo(new Origin(unknown, NEVER, 400 + PERIOD, null));
  }

  @Test
  void remember_moreThanFit_othersShareACreditUntilTheyAreOver() {
    memory.rested(A, rest(500));
    memory.rested(B, rest(500));
    memory.rested(C, rest(2_000));

    assertThat(memory.recall(C, PERIOD, 0)).isEqualTo(Origin.forgotten(2_000, 2_000));
    assertThat(memory.recall(key("rule", "d"), PERIOD, 0))
        .isEqualTo(Origin.forgotten(2_000, 2_000));
    assertThat(memory.recall(A, PERIOD, 0).opening()).as("a known one").isEqualTo(OPENING);
  }

  @Test
  void remember_oneWhereThereIsNoRoom_holdsNobodyBackUnlessItMatters() {
    memory.rested(A, rest(500));
    memory.rested(B, rest(500));

    memory.rested(C, new DormantKey(0, NEVER, null, NEVER, ANSWER));
    assertThat(memory.recall(key("rule", "d"), PERIOD, 0).sharedUntilNanos()).isEqualTo(NEVER);
  }

  @Test
  void sweep_roomIsShort_dropsWhatNothingDependsOn() {
    memory.rested(A, rest(5_000));
    memory.rested(B, rest(300));

    sweep(memory, 100 + PERIOD - 1);
    assertThat(memory.size()).isEqualTo(2);
    sweep(memory, 100 + PERIOD);

    assertThat(memory.recall(A, PERIOD, 500).opening()).as("still matters").isNotNull();
    assertThat(memory.recall(B, PERIOD, 500).opening()).isNull();
  }

  @Test
  void sweep_usedLaterThanItMustWait_isKeptAsLongAsItCountsAsUsed() {
    KeyMemory large = new KeyMemory(HASH, 100, 0);
    large.rested(A, rest(500));

    sweep(large, 100 + PERIOD - 1);
    assertThat(large.size()).isOne();
    sweep(large, 100 + PERIOD);
    assertThat(large.size()).isZero();
  }
}
