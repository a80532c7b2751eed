package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.ledger.TestLedger.Sent;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The effect of reports on the counts. */
class LedgerReportTest {
  @RegisterExtension final TestLedger ledger = new TestLedger(new FixedWindow(100, SECOND));

  @Test
  void apply_firstReportWithDemand_isGrantedAndOutstanding() {
    Sent sent = ledger.from("a").demand(100).send();
    assertThat(sent.grant().granted()).isBetween(15L, 40L);
    assertThat(ledger.outstanding()).isEqualTo(sent.granted());
    assertThat(sent.answer.remaining()).isEqualTo(100 - sent.granted());
    assertThat(sent.answer.resetNanos()).isEqualTo(START + SECOND);
  }

  @Test
  void apply_sameReportAgain_countsOnce() {
    CellGrant grant = ledger.from("a").demand(100).send().grant();
    ledger.from("a").uses(grant, 5).send();
    long available = ledger.available();
    Sent again = ledger.from("a").uses(grant, 5).send();
    assertThat(again.counts).isEmpty();
    assertThat(ledger.available()).isEqualTo(available);
    assertThat(ledger.booked()).isEqualTo(5);
    assertThat(ledger.counted(START)).isEqualTo(5);
  }

  @Test
  void apply_olderReportAfterNewer_changesNothing() {
    CellGrant grant = ledger.from("a").demand(100).send().grant();
    ledger.from("a").uses(grant, 9).send();
    Sent older = ledger.from("a").uses(grant, 4).send();
    assertThat(older.counts).isEmpty();
    assertThat(ledger.booked()).isEqualTo(9);
  }

  /** As two processes of one id and epoch may, of which one was forged or restored. */
  @Test
  void apply_reportsThatPutBackAndGiveBackTheSamePermits_freeThemOnce() {
    CellGrant grant = ledger.from("a").demand(100).send().grant();
    long used = grant.granted();
    ledger.from("a").uses(grant, used).send();
    long booked = ledger.booked();
    long window = grant.windowStartNanos();
    ledger.from("a").cell(back(grant.id(), window, used, used, 0)).send();
    ledger.from("a").cell(back(grant.id(), window, used, 0, used)).send();
    assertThat(ledger.booked()).isEqualTo(booked - used);
    assertThat(ledger.counted(START)).isZero();
  }

  private static CellUsage back(long id, long window, long taken, long putBack, long givenBack) {
    return CellUsage.of(id, window)
        .withGranted(taken)
        .withTaken(taken)
        .withPutBack(putBack)
        .withGivenBack(givenBack);
  }

  @Test
  void apply_reportAfterLostOnes_bookAllTheyWouldHaveSaid() {
    CellGrant grant = ledger.from("a").demand(100).send().grant();
    ledger.from("a").uses(grant, 12).send();
    assertThat(ledger.booked()).isEqualTo(12);
    assertThat(ledger.counted(START)).isEqualTo(12);
  }

  @Test
  void apply_putBackReportedLater_isFreeAgain() {
    CellGrant grant = ledger.from("a").demand(100).send().grant();
    ledger.from("a").uses(grant, 10).send();
    ledger
        .from("a")
        .cell(
            CellUsage.of(grant.id(), START)
                .withGranted(grant.granted())
                .withTaken(10)
                .withPutBack(3))
        .send();
    assertThat(ledger.booked()).isEqualTo(7);
    assertThat(ledger.counted(START)).isEqualTo(7);
    assertThat(ledger.outstanding()).isEqualTo(grant.granted() - 7);
  }

  @Test
  void apply_permitsGivenBack_areAvailableToOthers() {
    CellGrant grant = ledger.from("a").needs(60).send().grant();
    assertThat(ledger.available()).isEqualTo(100 - grant.granted());
    ledger.from("a").closes(grant, 2).send();
    assertThat(ledger.available()).isEqualTo(98);
    assertThat(ledger.from("b").needs(90).send().granted()).isEqualTo(91);
  }

  @Test
  void apply_reportOfAClosedWindow_isCountedThereAndNotInTheCurrentOne() {
    CellGrant grant = ledger.from("a").demand(100).send().grant();
    ledger.passes(3 * SECOND);
    ledger.from("a").uses(grant, 8).send();
    assertThat(ledger.counted(START)).isEqualTo(8);
    assertThat(ledger.counted(START + 3 * SECOND)).isZero();
    assertThat(ledger.booked()).isZero();
    assertThat(ledger.available()).isEqualTo(100);
  }

  @Test
  void apply_openedCellOfAWindowLongAgo_isCountedThereAndNotInTheCurrentOne() {
    ledger.passes(7_200 * SECOND);
    ledger.from("a").opened(1, START, 8, false).send();
    assertThat(ledger.counted(START)).isEqualTo(8);
    assertThat(ledger.booked()).isZero();
    assertThat(ledger.available()).isEqualTo(100);
  }

  @Test
  void apply_throttledPermits_areCountedInTheirWindowAndTakeNothing() {
    ledger.from("a").cell(CellUsage.of(-1, START).withThrottled(7)).send();
    assertThat(ledger.throttled(START)).isEqualTo(7);
    assertThat(ledger.available()).isEqualTo(100);
  }

  @Test
  void apply_closedCellReportedAgain_isSettledAndNotBookedAgain() {
    CellGrant grant = ledger.from("a").needs(10).send().grant();
    Sent closing = ledger.from("a").closes(grant, 6).opened(1, START, 4, true).send();
    assertThat(closing.answer.settled()).containsExactlyInAnyOrder(grant.id(), -1L);
    Sent again = ledger.from("a").closes(grant, 6).opened(1, START, 4, true).send();
    assertThat(again.answer.settled()).containsExactlyInAnyOrder(grant.id(), -1L);
    assertThat(again.counts).isEmpty();
    assertThat(ledger.counted(START)).isEqualTo(10);
    assertThat(ledger.state.holders().get(0).cells()).isEmpty();
  }

  @Test
  void apply_closedCellBesideAnOlderOpenOne_isRememberedUntilThatIsClosedToo() {
    CellGrant grant = ledger.from("a").demand(100).send().grant();
    ledger.from("a").uses(grant, 1).opened(1, START, 2, false).opened(2, START, 3, true).send();
    ledger.from("a").uses(grant, 1).opened(1, START, 2, false).opened(2, START, 3, true).send();
    assertThat(ledger.counted(START)).isEqualTo(6);
    ledger.from("a").closes(grant, 1).opened(1, START, 2, true).opened(2, START, 3, true).send();
    ledger.from("a").opened(2, START, 3, true).send();
    assertThat(ledger.counted(START)).isEqualTo(6);
  }

  @Test
  void apply_cellOpenedByTheInstance_isBookedInItsWindowWithoutAGrant() {
    ledger.passes(2 * SECOND);
    ledger
        .from("a")
        .opened(1, START + SECOND, 5, true)
        .opened(2, START + 2 * SECOND, 7, false)
        .send();
    assertThat(ledger.counted(START + SECOND)).isEqualTo(5);
    assertThat(ledger.counted(START + 2 * SECOND)).isEqualTo(7);
    assertThat(ledger.booked()).isEqualTo(7);
    assertThat(ledger.outstanding()).isZero();
  }

  @Test
  void apply_openedCellOfAnImpossibleWindow_isBookedInTheCurrentOne() {
    ledger.from("a").opened(1, START + 500 * SECOND, 5, false).opened(2, -1, 6, false).send();
    assertThat(ledger.counted(START)).isEqualTo(11);
  }

  @Test
  void apply_twoEpochsOfAnInstance_areTwoHolders() {
    CellGrant first = ledger.from("a").epoch(1).needs(30).send().grant();
    CellGrant second = ledger.from("a").epoch(2).needs(30).send().grant();
    assertThat(ledger.outstanding()).isEqualTo(first.granted() + second.granted());
    ledger.from("a").epoch(2).closes(second, 0).send();
    assertThat(ledger.outstanding()).isEqualTo(first.granted());
  }

  @Test
  void apply_usageOfANewerGeneration_isLeftForLater() {
    ledger.from("a").needs(5).send();
    KeyLedger before = ledger.state;
    Sent sent = ledger.from("a").generation(2).opened(1, START, 5, true).send();
    assertThat(sent.answer).isNull();
    assertThat(sent.counts).isEmpty();
    assertThat(ledger.state).isSameAs(before);
  }

  @Test
  void apply_clockBehindTheLedger_actsAsIfNoTimeHadPassed() {
    CellGrant grant = ledger.from("a").demand(100).send().grant();
    ledger.passes(-700 * MILLI);
    Sent sent = ledger.from("a").demand(100).uses(grant, 1).send();
    assertThat(sent.grant().windowStartNanos()).isEqualTo(START);
    assertThat(ledger.state.timeNanos()).isEqualTo(START);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 0, counts of a cell",
    "0, -1, 0, counts of a cell",
    "0, 0, -1, counts of a cell",
    "2305843009213693953, 0, 0, counts of a cell",
    "5, 6, 0, put back no more than was taken",
    "5, 3, 3, put back no more than was taken",
  })
  void apply_impossibleCounts_areRefusedAndChangeNothing(
      long taken, long putBack, long givenBack, String message) {
    KeyLedger before = ledger.state;
    CellUsage bad =
        CellUsage.of(7, START).withTaken(taken).withPutBack(putBack).withGivenBack(givenBack);
    assertThatThrownBy(() -> ledger.from("a").opened(1, START, 5, true).cell(bad).send())
        .isInstanceOf(InvalidReportException.class)
        .hasMessageContaining(message);
    assertThat(ledger.state).isSameAs(before);
  }

  @Test
  void apply_impossibleUsage_isRefused() {
    CellUsage noId = CellUsage.of(0, START);
    assertThatThrownBy(() -> ledger.from("a").cell(noId).send()).hasMessageContaining("with an id");
    assertThatThrownBy(() -> ledger.from("a").demand(-1).send()).hasMessageContaining("a rate");
    assertThatThrownBy(() -> ledger.from("a").demand(Double.NaN).send())
        .hasMessageContaining("a rate");
    TestLedger.Report many = ledger.from("a");
    LongStream.rangeClosed(1, 101).forEach(id -> many.opened(id, START, 1, true));
    assertThatThrownBy(many::send).hasMessageContaining("at most 100 cells");
  }

  @Test
  void apply_grantedCellThatTheLedgerNoLongerKnows_isBookedAndNotRenewed() {
    CellGrant old = ledger.from("a").needs(50).send().grant();
    ledger.passes(5 * SECOND);
    ledger.forget();
    CellGrant known = new CellGrant(old.id(), START + 5 * SECOND, 50, 0, 0);
    Sent sent = ledger.from("a").needs(20).uses(known, 30).send();
    assertThat(ledger.booked()).isEqualTo(30);
    assertThat(sent.grant().id()).isNotEqualTo(old.id());
    assertThat(ledger.outstanding()).isEqualTo(sent.granted());
  }
}
