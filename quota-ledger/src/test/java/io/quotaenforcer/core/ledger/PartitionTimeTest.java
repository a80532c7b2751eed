package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SETTINGS;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.ledger.PartitionTime.Kept;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartitionTimeTest {
  private static final long AHEAD = SETTINGS.aheadNanos();
  private static final long DAY = 86_400_000 * MILLI;

  private final PartitionTime first = new PartitionTime(SETTINGS, Optional.empty());

  @Test
  void now_clockStepsBack_standsStill() {
    assertThat(first.now(START)).isEqualTo(START);
    assertThat(first.now(START - MILLI)).isEqualTo(START);
    assertThat(first.now(START + MILLI)).isEqualTo(START + MILLI);
  }

  @Test
  void firstEnforcer_hasNoPredecessors() {
    assertThat(first.tenure(4)).isEqualTo(Tenure.first(4));
  }

  @Test
  void answers_waitUntilATimeAheadOfThemIsCommitted() {
    first.now(START);
    Optional<Kept> kept = first.toKeep(0);

    assertThat(kept).contains(crashing(START + AHEAD, 0, 0));
    assertThat(first.mayAnswer(0)).isFalse();
    assertThat(first.mayAnswer(1)).isTrue();
  }

  @Test
  void answers_beyondTheCommittedTime_wait() {
    first.now(START);
    first.toKeep(0);
    first.now(START + AHEAD);
    assertThat(first.mayAnswer(1)).isTrue();
    first.now(START + AHEAD + 1);
    assertThat(first.mayAnswer(1)).isFalse();
  }

  @Test
  void toKeep_onlyWhenHalfOfTheTimeAheadIsGone() {
    first.now(START);
    first.toKeep(0);
    first.now(START + AHEAD / 2 - 1);
    assertThat(first.toKeep(1)).isEmpty();
    first.now(START + AHEAD / 2);
    assertThat(first.toKeep(1)).map(Kept::aheadNanos).contains(START + AHEAD / 2 + AHEAD);
  }

  @Test
  void endOfATransaction_keepsAsFarAheadAsCanBe() {
    first.now(START);
    first.toKeep(0);
    first.now(START + MILLI);
    first.toKeep(0);
    assertThat(first.mayAnswer(0)).isFalse();
    assertThat(first.toKeepAtEnd(0)).contains(crashing(START + MILLI + AHEAD, 0, 0));

    first.now(START + MILLI + AHEAD);
    assertThat(first.mayAnswer(1)).isTrue();
    first.now(START + MILLI + AHEAD + 1);
    assertThat(first.mayAnswer(1)).isFalse();
  }

  @Test
  void endOfATransaction_nobodyAskedLately_keepsNothing() {
    first.now(START);
    first.toKeep(0);
    first.now(START + MILLI);
    assertThat(first.toKeepAtEnd(0)).isEmpty();
    first.now(START);
    first.mayAnswer(0);

    first.now(START + MILLI + 10_000 * MILLI);
    assertThat(first.toKeepAtEnd(1))
        .contains(crashing(START + MILLI + 10_000 * MILLI + AHEAD, 0, 0));
    first.now(START + MILLI + 10_000 * MILLI + 1);
    assertThat(first.toKeepAtEnd(2)).isEmpty();
  }

  @Test
  void endOfATransaction_afterHandOver_keepsNothingElse() {
    first.now(START);
    first.toKeep(0);
    first.mayAnswer(0);
    first.handOver();
    first.now(START + MILLI);

    assertThat(first.toKeepAtEnd(0)).isEmpty();
  }

  @Test
  void newTimeAhead_notYetCommitted_theOlderOneHolds() {
    first.now(START);
    first.toKeep(0);
    first.now(START + AHEAD);
    first.toKeep(1);

    assertThat(first.mayAnswer(1)).isTrue();
    first.now(START + AHEAD + 1);
    assertThat(first.mayAnswer(1)).isFalse();
    assertThat(first.mayAnswer(2)).isTrue();
  }

  @Test
  void successor_beginsAfterEveryTimeThatMayHaveBeenUsed_andStandsStill() {
    PartitionTime successor =
        new PartitionTime(SETTINGS, Optional.of(crashing(START + AHEAD, 0, 0)));

    assertThat(successor.now(START)).isEqualTo(START + AHEAD + 1);
    assertThat(successor.now(START + AHEAD)).isEqualTo(START + AHEAD + 1);
    assertThat(successor.now(START + AHEAD + 2)).isEqualTo(START + AHEAD + 2);
    assertThat(successor.mayAnswer(0)).isFalse();
  }

  @Test
  void successors_thatCrashOneAfterTheOther_doNotDriveTimeAway() {
    Optional<Kept> kept = Optional.of(crashing(START + AHEAD, 0, 0));
    for (int i = 0; i < 100; i++) {
      PartitionTime successor = new PartitionTime(SETTINGS, kept);
      successor.now(START);
      kept = successor.toKeep(0);
      assertThat(successor.mayAnswer(1)).isTrue();
    }
    assertThat(kept).map(Kept::aheadNanos).contains(START + AHEAD + 100);
  }

  @Test
  void successorOfAClockThatWasSecondsAhead_waitsForThem() {
    long ahead = AHEAD + SETTINGS.maxClockSkewNanos() + 10_000 * MILLI;
    PartitionTime successor =
        new PartitionTime(SETTINGS, Optional.of(crashing(START + ahead, 0, 0)));
    assertThat(successor.now(START)).isEqualTo(START + ahead + 1);
    assertThat(successor.now(START + ahead)).isEqualTo(START + ahead + 1);
    assertThat(successor.now(START + ahead + MILLI)).isEqualTo(START + ahead + MILLI);
    assertThat(successor.adoptedNanos()).isZero();
  }

  @Test
  void successorOfAClockThatWasADayAhead_answersOnce_theUsualTimeIsOver() {
    PartitionTime successor = new PartitionTime(SETTINGS, Optional.of(crashing(START + DAY, 0, 0)));
    successor.now(START);
    successor.toKeep(0);
    long usual = AHEAD + SETTINGS.maxClockSkewNanos();

    assertThat(successor.mayAnswer(1)).isTrue();
    assertThat(successor.now(START + usual)).isEqualTo(START + DAY + 1);
    assertThat(successor.now(START + 2 * usual)).isEqualTo(START + DAY + usual - 2 * usual / 10);
    assertThat(successor.adoptedNanos()).isEqualTo(DAY - usual - 2 * usual / 10);
  }

  @Test
  void timeOfAClockThatWasAhead_goesSlower_untilItIsItsOwnAgain() {
    PartitionTime successor = new PartitionTime(SETTINGS, Optional.of(crashing(START + DAY, 0, 0)));
    long last = successor.now(START);
    for (long passed = MILLI; passed < 12 * DAY; passed += 600_000 * MILLI) {
      long now = successor.now(START + passed);
      assertThat(now - last).isBetween(0L, 600_000 * MILLI);
      last = now;
    }
    assertThat(successor.adoptedNanos()).isZero();
    assertThat(successor.now(START + 12 * DAY)).isEqualTo(START + 12 * DAY);
  }

  @Test
  void successorsOfAClockThatWasAhead_thatCrashOneAfterTheOther_comeBackAsWell() {
    Optional<Kept> kept = Optional.of(crashing(START + DAY, 0, 0));
    long clock = START;
    for (int i = 0; i < 1000; i++) {
      PartitionTime successor = new PartitionTime(SETTINGS, kept);
      successor.now(clock);
      clock += DAY / 80;
      successor.now(clock);
      kept = successor.toKeep(0).or(() -> Optional.of(crashing(START, 0, 0)));
    }
    assertThat(kept.orElseThrow().aheadNanos()).isEqualTo(clock + AHEAD);
  }

  @Test
  void standingStill_keepsNothingNew() {
    PartitionTime successor =
        new PartitionTime(SETTINGS, Optional.of(crashing(START + AHEAD, 0, 0)));
    successor.now(START);
    assertThat(successor.toKeep(0)).isPresent();
    successor.now(START);
    assertThat(successor.toKeep(1)).isEmpty();
    successor.now(START + MILLI);
    assertThat(successor.toKeep(1)).isPresent();
  }

  @Test
  void successor_knowsUntilWhenPermitsOfThePredecessorsMayBeValid() {
    long last = START + AHEAD + SETTINGS.allotmentTtlNanos() + SETTINGS.maxClockSkewNanos();

    Tenure second =
        new PartitionTime(SETTINGS, Optional.of(crashing(START + AHEAD, 0, 0))).tenure(0);
    Tenure third =
        new PartitionTime(SETTINGS, Optional.of(crashing(START - AHEAD, 1, last))).tenure(0);

    assertThat(second).isEqualTo(new Tenure(1, START + AHEAD, last, 1, 0, AHEAD));
    assertThat(third).isEqualTo(new Tenure(2, START - AHEAD, last, 2, 0, AHEAD));
  }

  @Test
  void successorOfOneThatHandedOver_goesOnAtOnce() {
    first.now(START);
    first.toKeep(0);
    PartitionTime second = new PartitionTime(SETTINGS, first.handOver());

    assertThat(second.now(START + MILLI)).isEqualTo(START + MILLI);
    assertThat(second.tenure(0)).isEqualTo(new Tenure(1, START, 0, 0, 0));
  }

  @Test
  void handOver_endsAnswers() {
    first.now(START);
    first.toKeep(0);
    assertThat(first.mayAnswer(1)).isTrue();

    assertThat(first.handOver()).contains(new Kept(START, 0, 0, 0, true));
    assertThat(first.mayAnswer(2)).isFalse();
    first.now(START + MILLI);
    assertThat(first.toKeep(2)).contains(new Kept(START + MILLI, 0, 0, 0, true));
  }

  @Test
  void handOver_beforeTheFirstReport_keepsNothing() {
    assertThat(first.handOver()).isEmpty();
  }

  @Test
  void handOver_notCommitted_isACrash() {
    first.now(START);
    Optional<Kept> committed = first.toKeep(0);
    first.handOver();

    assertThat(new PartitionTime(SETTINGS, committed).tenure(0).recordedSince()).isEqualTo(1);
  }

  @Test
  void handOver_afterACrash_keepsUntilWhenWhatItCostMayBeValid() {
    long last = START + AHEAD + SETTINGS.allotmentTtlNanos() + SETTINGS.maxClockSkewNanos();
    PartitionTime second = new PartitionTime(SETTINGS, Optional.of(crashing(START + AHEAD, 0, 0)));
    second.now(START);
    PartitionTime third = new PartitionTime(SETTINGS, second.handOver());

    assertThat(third.tenure(0))
        .as("who hands over while time stands still leaves it as far ahead")
        .isEqualTo(new Tenure(2, START + AHEAD + 1, last, 1, 0, AHEAD + 1));
  }

  @Test
  void commitsThatTakeLong_answersAreGivenFurtherAheadOfThem() {
    first.committed(1_000 * MILLI);
    first.now(START);

    assertThat(first.toKeep(0))
        .contains(new Kept(START + 2_000 * MILLI, 0, 0, 0, false, 2_000 * MILLI));
    first.now(START + 1_999 * MILLI);
    assertThat(first.mayAnswer(1)).isTrue();
  }

  @Test
  void commitsThatTakeVeryLong_answersAreGivenNoFurtherAhead_thanTheyAreWorth() {
    first.committed(60_000 * MILLI);
    first.now(START);

    assertThat(first.toKeep(0)).map(Kept::aheadNanos).contains(START + 3_000 * MILLI);
  }

  @Test
  void commitsThatAreQuickAgain_areBelievedLittleByLittle() {
    first.committed(1_000 * MILLI);
    first.committed(MILLI);
    first.now(START);
    assertThat(first.toKeep(0)).map(Kept::aheadNanos).contains(START + 1_750 * MILLI);
    for (int i = 0; i < 20; i++) {
      first.committed(MILLI);
    }
    first.now(START + DAY);
    assertThat(first.toKeep(1)).map(Kept::aheadNanos).contains(START + DAY + AHEAD);
  }

  /** The committed time lies further ahead already. */
  @Test
  void commitsThatAreQuickAgain_takeNothingBack() {
    first.committed(1_000 * MILLI);
    first.now(START);
    first.toKeep(0);
    assertThat(first.mayAnswer(1)).isTrue();
    for (int i = 0; i < 20; i++) {
      first.committed(MILLI);
    }
    first.now(START + MILLI);

    assertThat(first.toKeepAtEnd(1)).isEmpty();
    first.now(START + 2_000 * MILLI);
    assertThat(first.mayAnswer(2)).isTrue();
  }

  @Test
  void clockInDoubt_isBelievedForTheBeginning_andStandsStillFromThen() {
    assertThat(first.nowInDoubt(START)).isEqualTo(START);
    first.now(START + 5);
    assertThat(first.nowInDoubt(START + 9)).isEqualTo(START + 5);
  }

  /** As on a host that was suspended and has not been told the time. */
  @Test
  void clockInDoubtFromTheFirst_leavesTimeAsFarAheadAsItFoundIt() {
    PartitionTime second = new PartitionTime(SETTINGS, Optional.of(crashing(START + AHEAD, 0, 0)));
    second.nowInDoubt(START);

    assertThat(second.handOver()).map(Kept::leadNanos).contains(AHEAD + 1);
  }

  /**
   * Time stands still, and has not jumped by as much as the clock: a successor need not make up.
   */
  @Test
  void clockThatStepsBack_leavesTimeNoFurtherAheadThanUsual() {
    first.now(START + DAY);
    first.now(START);

    assertThat(first.toKeep(0)).map(Kept::leadNanos).contains(AHEAD);
  }

  private static Kept crashing(long aheadNanos, long tenure, long predecessorsUntilNanos) {
    return new Kept(aheadNanos, tenure, predecessorsUntilNanos, tenure, false, AHEAD);
  }
}
