package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellGrant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A sliding window that changes hands near a border: what was last kept is from before it. */
class LedgerSlidingTakeoverTest {
  private static final long BORDER = START + SECOND;
  private static final long LATEST = BORDER + 50 * MILLI;

  @RegisterExtension final TestLedger ledger = new TestLedger(new SlidingWindow(100, SECOND));

  private void takeOverBehindTheBorder() {
    ledger.takenOver(LATEST);
    ledger.passes(160 * MILLI);
  }

  @Test
  void useOfThePredecessorsTime_isBookedBehindTheBorder() {
    ledger.passes(900 * MILLI);
    ledger.from("b").uses(ledger.from("b").needs(5).send().grant(), 5).send();
    CellGrant grant = ledger.from("a").needs(60).send().grant();
    takeOverBehindTheBorder();
    ledger.from("a").uses(grant, 60).send();

    assertThat(((SlidingWindow.State) ledger.state.state()).startNanos())
        .as("start of the window")
        .isEqualTo(BORDER);
    assertThat(((SlidingWindow.State) ledger.state.state()).used())
        .as("booked in it")
        .isEqualTo(60);
  }

  @Test
  void nothingIsGranted_untilThePredecessorsLatestTimeHasCertainlyPassed() {
    ledger.passes(900 * MILLI);
    ledger.from("b").uses(ledger.from("b").needs(5).send().grant(), 5).send();
    takeOverBehindTheBorder();
    assertThat(ledger.from("c").needs(3).send().grants()).isEmpty();
    assertThat(ledger.available()).isGreaterThan(3);

    ledger.passes(LATEST + 200 * MILLI - ledger.now);
    assertThat(ledger.from("c").needs(3).send().grants()).isNotEmpty();
  }

  @Test
  void borders_whileTheKeyIsInUse_stayWhereTheTakeoverLeftThem() {
    useBeforeAndAfterATakeover();
    ledger.passes(3 * SECOND / 2);
    ledger.from("c").needs(3).send();

    assertThat(ledger.state.clock().lagNanos()).isEqualTo(200 * MILLI);
  }

  @Test
  void borders_unusedForLongEnough_areThoseOfEnforcerTimeAgain() {
    useBeforeAndAfterATakeover();
    ledger.passes(4 * SECOND);
    ledger.from("c").needs(3).send();

    assertThat(ledger.state.clock()).isEqualTo(StateClock.ENFORCER);
    assertThat(((SlidingWindow.State) ledger.state.state()).startNanos())
        .isEqualTo(ledger.state.limit().windowStart(ledger.now));
  }

  /** It closes what was written off by the clock before: that is not freed a second time. */
  @Test
  void borders_alignedAgain_aLateReportFreesNothing() {
    ledger.passes(900 * MILLI);
    CellGrant late = ledger.from("b").needs(40).send().grant();
    takeOverBehindTheBorder();
    ledger.passes(3 * SECOND);
    ledger.from("a").needs(1).send();
    ledger.passes(4 * SECOND);
    CellGrant grant = ledger.from("a").needs(80).send().grant();
    ledger.from("a").uses(grant, 80).send();
    assertThat(ledger.state.clock()).isEqualTo(StateClock.ENFORCER);
    long booked = ledger.booked();

    ledger.from("b").closes(late, 5).send();

    assertThat(ledger.booked()).isGreaterThanOrEqualTo(booked);
  }

  private void useBeforeAndAfterATakeover() {
    ledger.passes(900 * MILLI);
    ledger.from("b").uses(ledger.from("b").needs(5).send().grant(), 5).send();
    takeOverBehindTheBorder();
    ledger.passes(SECOND / 2);
    ledger.from("a").uses(ledger.from("a").needs(5).send().grant(), 5).send();
  }
}
