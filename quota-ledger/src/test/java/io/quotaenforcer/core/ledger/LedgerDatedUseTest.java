package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Use of a sliding window that is reported only after the border of a window. */
class LedgerDatedUseTest {
  private static final long BEFORE_BORDER = START + 990 * MILLI;
  private static final long EXA = 1_000_000_000_000_000_000L;

  @RegisterExtension final TestLedger ledger = new TestLedger(new SlidingWindow(100, SECOND));

  private CellGrant grant;

  private void grantBeforeTheBorder() {
    ledger.passes(900 * MILLI);
    grant = ledger.from("a").needs(30).send().grant();
    ledger.passes(150 * MILLI);
  }

  private CellUsage usage(long taken, long putBack, long usedEarlier) {
    return CellUsage.of(grant.id(), 0)
        .withGranted(grant.granted())
        .withTaken(taken)
        .withPutBack(putBack)
        .withEarlier(usedEarlier, BEFORE_BORDER);
  }

  /** Permits booked in the window before the current one. */
  private long bookedBefore() {
    return ((SlidingWindow.State) ledger.state.state()).usedBefore();
  }

  private long bookedNow() {
    return ((SlidingWindow.State) ledger.state.state()).used();
  }

  @Test
  void use_allBeforeTheBorder_isBookedThere() {
    grantBeforeTheBorder();
    ledger.from("a").cell(usage(20, 0, 20)).send();
    assertThat(bookedBefore()).isEqualTo(20);
    assertThat(bookedNow()).isZero();
  }

  @Test
  void use_partlyBeforeTheBorder_isBookedInBothWindows() {
    grantBeforeTheBorder();
    ledger.from("a").cell(usage(20, 0, 12)).send();
    assertThat(bookedBefore()).isEqualTo(12);
    assertThat(bookedNow()).isEqualTo(8);
  }

  @Test
  void use_reportedAgain_isBookedOnce() {
    grantBeforeTheBorder();
    ledger.from("a").cell(usage(20, 0, 12)).send();
    ledger.from("a").cell(usage(25, 0, 12)).send();
    assertThat(bookedBefore()).isEqualTo(12);
    assertThat(bookedNow()).isEqualTo(13);
  }

  @Test
  void use_ofWhichSomeWasReportedBefore_isNotBookedTwice() {
    ledger.passes(900 * MILLI);
    grant = ledger.from("a").needs(30).send().grant();
    ledger.from("a").uses(grant, 5).send();
    ledger.passes(150 * MILLI);
    ledger.from("a").cell(usage(20, 0, 12)).send();
    assertThat(bookedBefore()).isEqualTo(12);
    assertThat(bookedNow()).isEqualTo(8);
  }

  @Test
  void use_putBackSinceTheReport_isNotBookedEarlier() {
    grantBeforeTheBorder();
    ledger.from("a").cell(usage(0, 0, 0)).send();
    ledger.from("a").cell(usage(22, 8, 4)).send();
    assertThat(bookedBefore()).isEqualTo(4);
    assertThat(bookedNow()).isEqualTo(10);
  }

  @Test
  void use_ofAnInstanceWhoseClockIsNotKnown_isBookedOnArrival() {
    ledger.passes(1_050 * MILLI);
    ledger.from("a").cell(CellUsage.of(-1, 0).withTaken(20).withEarlier(20, BEFORE_BORDER)).send();
    assertThat(bookedNow()).isEqualTo(20);
  }

  @Test
  void use_namedLaterThanItsArrival_isBookedOnArrival() {
    grantBeforeTheBorder();
    CellUsage ahead =
        CellUsage.of(grant.id(), 0)
            .withGranted(grant.granted())
            .withTaken(20)
            .withEarlier(20, START + 60 * SECOND);
    ledger.from("a").cell(ahead).send();
    assertThat(bookedNow()).isEqualTo(20);
  }

  /** As no correct instance does: nothing is lost, and no time is set. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + SECOND, -8 * EXA, 8 * EXA, Long.MAX_VALUE})
  void use_namedAtAnAbsurdTime_letsLaterUseBeBooked(long earlierNanos) {
    grantBeforeTheBorder();
    ledger.from("a").cell(usage(1, 0, 0).withEarlier(1, earlierNanos)).send();
    ledger.from("a").cell(usage(20, 0, 0)).send();
    assertThat(bookedNow()).isBetween(19L, 20L);

    TestLedger subWindows = new TestLedger(new SlidingSubWindows(100, SECOND, 4));
    CellGrant lease = subWindows.from("a").needs(30).send().grant();
    CellUsage used = CellUsage.of(lease.id(), 0).withGranted(30).withTaken(1);
    subWindows.from("a").cell(used.withEarlier(1, earlierNanos)).send();
    subWindows.from("a").cell(used.withTaken(20)).send();
    assertThat(subWindows.state.used(subWindows.now)).isBetween(19L, 20L);
  }
}
