package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.EPOCH;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import org.junit.jupiter.api.Test;

/** Granted cells: from when, until when, and which one is in use. */
class LeaseTest {
  private static final Limit SLIDING = new SlidingWindow(100, SECOND);
  private static final Limit FIXED = new FixedWindow(100, SECOND);
  private static final long LEASE = 2 * SECOND;

  private final TestBook sliding = new TestBook(strict(SLIDING));
  private final TestBook fixed = new TestBook(strict(FIXED));

  @Test
  void lease_runsFromTheSendTimeNotFromTheArrival() {
    sliding.admits();
    sliding.reports();
    CellGrant grant = sliding.grant(SLIDING, 5, 10);
    sliding.passes(1_500 * MILLI);
    sliding.answer().grants(grant).madeAt(START).send();
    sliding.passes(LEASE - 1_500 * MILLI - 1);
    assertThat(sliding.admits()).isTrue();
    sliding.passes(1);
    assertThat(sliding.admits()).isFalse();
  }

  @Test
  void lease_enforcersClockAMinuteOff_isAsLong() {
    sliding.admits();
    sliding.reports();
    long there = EPOCH + 60 * SECOND;
    CellGrant grant = new CellGrant(5, 0, 10, 0, there + LEASE);
    sliding.answer().grants(grant).madeAt(START + 60 * SECOND).send();
    sliding.passes(LEASE - 1);
    assertThat(sliding.admits()).isTrue();
    sliding.passes(1);
    assertThat(sliding.admits()).isFalse();
  }

  @Test
  void lease_veryLateAnswer_isOverOnArrival() {
    sliding.admits();
    sliding.reports();
    CellGrant grant = sliding.grant(SLIDING, 5, 10);
    sliding.passes(30 * SECOND);
    sliding.answer().grants(grant).madeAt(START).send();
    assertThat(sliding.admits()).isFalse();
  }

  @Test
  void lease_renewedByEachAnswer_goesOn() {
    sliding.admits();
    for (int i = 0; i < 10; i++) {
      sliding.granted(sliding.grant(SLIDING, 5, 100 * (i + 1)));
      sliding.passes(SECOND);
      assertThat(sliding.admits()).isTrue();
    }
  }

  @Test
  void answer_olderThanTheLast_changesNothing() {
    sliding.admits();
    CellGrant first = sliding.grant(SLIDING, 5, 3);
    sliding.granted(first);
    sliding.passes(50 * MILLI);
    sliding.admits();
    sliding.granted(sliding.grant(SLIDING, 5, 10));
    sliding.answer().to(START).madeAt(START).send();
    assertThat(sliding.admitted(20)).isEqualTo(9);
  }

  @Test
  void answer_madeAtTheSameEnforcerTimeToAnOlderReport_changesNothing() {
    sliding.admits();
    sliding.reports();
    long older = sliding.now;
    sliding.passes(130 * MILLI);
    sliding.admits();
    sliding.granted(sliding.grant(SLIDING, 5, 10));
    sliding.answer().to(older).send();
    assertThat(sliding.admitted(20)).isEqualTo(10);
  }

  @Test
  void answer_repeated_changesNothing() {
    sliding.admits();
    CellGrant grant = sliding.grant(SLIDING, 5, 10);
    sliding.granted(grant);
    sliding.admitted(4);
    sliding.answer().grants(grant).send();
    assertThat(sliding.admitted(20)).isEqualTo(6);
  }

  @Test
  void cell_missingFromTheAnswer_isSealedAndGivenBack() {
    sliding.admits();
    sliding.granted(sliding.grant(SLIDING, 5, 10));
    sliding.admitted(4);
    sliding.passes(50 * MILLI);
    sliding.granted();
    assertThat(sliding.admits()).isFalse();
    sliding.passes(50 * MILLI);
    assertThat(sliding.cells())
        .filteredOn(cell -> cell.id() == 5)
        .containsExactly(CellUsage.of(5, 0).withGranted(10).withTaken(10).withGivenBack(6));
  }

  @Test
  void cell_listedAsEnded_isSealedAndClosedAfterTheGrace() {
    sliding.admits();
    sliding.granted(sliding.grant(SLIDING, 5, 10));
    sliding.passes(50 * MILLI);
    sliding.granted(new CellGrant(5, 0, 10, 0, 0), sliding.grant(SLIDING, 6, 8));
    assertThat(sliding.admitted(20)).isEqualTo(8);
    sliding.passes(100 * MILLI);
    assertThat(sliding.cells())
        .filteredOn(cell -> cell.id() == 5)
        .extracting(CellUsage::closed)
        .containsExactly(true);
  }

  @Test
  void cell_endedBeforeItWasEverHeardOf_isClosedUnused() {
    sliding.admits();
    sliding.granted(new CellGrant(5, 0, 10, 0, 0), sliding.grant(SLIDING, 6, 8));
    sliding.passes(100 * MILLI);
    sliding.admits();
    CellUsage closed =
        sliding.cells().stream().filter(cell -> cell.id() == 5).findFirst().orElseThrow();
    assertThat(closed.closed()).isTrue();
    assertThat(closed.used()).isZero();
  }

  @Test
  void sealedCell_stillOfferedByTheEnforcer_isNotTakenUpAgain() {
    sliding.admits();
    CellGrant grant = sliding.grant(SLIDING, 5, 10);
    sliding.granted(grant);
    sliding.passes(50 * MILLI);
    sliding.admits();
    sliding.granted();
    sliding.passes(50 * MILLI);
    sliding.admits();
    sliding.granted(sliding.grant(SLIDING, 5, 20));
    assertThat(sliding.admits()).isFalse();
  }

  @Test
  void window_turns_itsCellIsVoidAndTheNextOneBeginsNotBefore() {
    fixed.passes(900 * MILLI);
    fixed.admits();
    CellGrant now = fixed.grant(FIXED, 5, 10);
    CellGrant next = new CellGrant(6, EPOCH + SECOND, 20, EPOCH + SECOND, EPOCH + 2 * SECOND);
    fixed.granted(now, next);
    fixed.passes(100 * MILLI - 1);
    assertThat(fixed.admitted(15)).isEqualTo(10);
    fixed.passes(1);
    assertThat(fixed.admitted(30)).isEqualTo(20);
    assertThat(fixed.decision().windowStartNanos()).isZero();
  }

  @Test
  void window_leaseThatLastsBeyondIt_endsWithItByTheClockThatIsKnown() {
    fixed.passes(900 * MILLI);
    fixed.admits();
    CellGrant grant = new CellGrant(5, EPOCH, 10, EPOCH, EPOCH + SECOND + 100 * MILLI);
    fixed.granted(grant);
    fixed.passes(100 * MILLI - 1);
    assertThat(fixed.admits()).isTrue();
    fixed.passes(1);
    assertThat(fixed.admits()).isFalse();
  }

  @Test
  void window_reportThatWasLongOnItsWay_endsNoEarlierForThat() {
    fixed.passes(900 * MILLI);
    fixed.admits();
    CellGrant grant = new CellGrant(5, EPOCH, 10, EPOCH, EPOCH + SECOND + 100 * MILLI);
    fixed.granted(grant);
    fixed.passes(20 * MILLI);
    fixed.admits();
    fixed.reports();
    fixed.passes(60 * MILLI);
    fixed.answer().grants(grant).send();
    fixed.passes(20 * MILLI - 1);
    assertThat(fixed.admits()).isTrue();
    fixed.passes(1);
    assertThat(fixed.admits()).isFalse();
  }

  @Test
  void slidingWindow_aroundItsBorder_reportsWhatWasTakenBefore() {
    sliding.passes(800 * MILLI);
    sliding.admits();
    sliding.granted(sliding.grant(SLIDING, 5, 50));
    sliding.answeredTicks(150 * MILLI, sliding.grant(SLIDING, 5, 50));
    assertThat(sliding.admitted(2)).isEqualTo(2);
    sliding.ticks(100 * MILLI);
    assertThat(sliding.admitted(1)).isEqualTo(1);
    CellUsage usage = sliding.openCell(5);
    assertThat(usage.used()).isEqualTo(3);
    assertThat(usage.usedEarlier()).isEqualTo(2);
    assertThat(usage.earlierNanos()).isBetween(START + 990 * MILLI, START + SECOND);
  }

  @Test
  void scarcePermits_moreThanSurelyNeeded_areGivenBack() {
    sliding.admits();
    sliding.granted(sliding.grant(SLIDING, 5, 4));
    sliding.passes(20 * MILLI);
    sliding.admits();
    sliding.reports();
    sliding.answer().grants(sliding.grant(SLIDING, 5, 4)).scarce().send();
    sliding.passes(20 * MILLI);
    sliding.reports();
    assertThat(sliding.admitted(10)).isLessThan(3);
  }

  @Test
  void window_turnsWithoutAReportPass_nextCellIsUsedAllTheSame() {
    fixed.passes(900 * MILLI);
    fixed.admits();
    fixed.granted(
        fixed.grant(FIXED, 5, 10),
        new CellGrant(6, EPOCH + SECOND, 20, EPOCH + SECOND, EPOCH + 2 * SECOND));
    fixed.passes(100 * MILLI);
    assertThat(fixed.decision().windowStartNanos()).isEqualTo(EPOCH + SECOND);
  }

  @Test
  void window_turns_unspentPermitsOfTheOldOneAreGivenBack() {
    fixed.passes(900 * MILLI);
    fixed.admits();
    fixed.granted(fixed.grant(FIXED, 5, 10));
    fixed.admitted(3);
    fixed.passes(250 * MILLI);
    assertThat(fixed.cells())
        .filteredOn(cell -> cell.id() == 5)
        .containsExactly(CellUsage.of(5, EPOCH).withGranted(10).withTaken(10).withGivenBack(7));
  }

  @Test
  void nextWindowsCell_grantedBeforeThisWindows_doesNotTakeItsPlace() {
    fixed.passes(900 * MILLI);
    fixed.admits();
    CellGrant next = new CellGrant(6, EPOCH + SECOND, 20, EPOCH + SECOND, EPOCH + 2 * SECOND);
    fixed.granted(next);
    assertThat(fixed.admits()).isFalse();
    fixed.passes(30 * MILLI);
    fixed.granted(next, fixed.grant(FIXED, 7, 4));
    assertThat(fixed.admitted(10)).isEqualTo(4);
    fixed.passes(70 * MILLI);
    assertThat(fixed.admitted(30)).isEqualTo(20);
  }

  @Test
  void lowDemand_muchGranted_keepsSomeAndGivesTheRestBack() {
    sliding.admits();
    sliding.granted(sliding.grant(SLIDING, 5, 90));
    CellGrant grant = sliding.grant(SLIDING, 5, 90);
    sliding.admits();
    sliding.answeredTicks(150 * MILLI, grant);
    sliding.admits();
    sliding.passes(100 * MILLI);
    CellUsage usage = sliding.cells().stream().filter(c -> c.id() == 5).findFirst().orElseThrow();
    assertThat(usage.givenBack()).isBetween(80L, 88L);
    assertThat(sliding.admits()).isTrue();
  }
}
