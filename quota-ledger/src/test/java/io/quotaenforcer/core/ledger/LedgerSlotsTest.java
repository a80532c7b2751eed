package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Slots count as long as they are held, and of a silent holder until its time is over. */
class LedgerSlotsTest {
  private static final long MAX_HOLD = 10 * SECOND;

  @RegisterExtension final TestLedger ledger = new TestLedger(new ConcurrencyLimit(10, MAX_HOLD));

  private static CellUsage cell(CellGrant grant, long taken, long putBack, long givenBack) {
    return CellUsage.of(grant.id(), 0)
        .withGranted(grant.granted())
        .withTaken(taken)
        .withPutBack(putBack)
        .withGivenBack(givenBack);
  }

  /** An instance that holds all slots. */
  private CellGrant holdsAll() {
    CellGrant all = ledger.from("a").needs(10).send().grant();
    ledger.from("a").demand(10).uses(all, all.granted()).send();
    CellGrant more = ledger.from("a").demand(10).uses(all, all.granted()).needs(10).send().grant();
    ledger.from("a").demand(10).uses(more, 10).send();
    assertThat(more.granted()).isEqualTo(10);
    assertThat(ledger.booked()).isEqualTo(10);
    return more;
  }

  @Test
  void slot_thatHasEnded_isFree_atOnce() {
    CellGrant held = holdsAll();
    ledger.from("a").cell(cell(held, 13, 3, 3)).send();
    assertThat(ledger.booked()).isEqualTo(7);
    ledger.from("b").needs(3).send();
    assertThat(ledger.from("b").needs(3).send().granted()).isEqualTo(3);
  }

  @Test
  void requestsThatBegin_areCounted_however_oftenSlotsComeBack() {
    CellGrant held = holdsAll();
    ledger.from("a").cell(cell(held, 25, 15, 0)).demand(10).send();
    ledger.from("a").cell(cell(held, 25, 25, 0)).demand(0).send();
    assertThat(ledger.counted()).isEqualTo(25);
    assertThat(ledger.booked()).isZero();
  }

  @Test
  void leaseThatEnds_countsAsHeld_untilMaxHoldIsOver() {
    CellGrant held = ledger.from("a").needs(4).send().grant();
    ledger.from("a").uses(held, 1).send();
    ledger.passes(TTL + 1);
    ledger.from("b").send();
    assertThat(ledger.outstanding()).isZero();
    assertThat(ledger.booked()).isEqualTo(held.granted());

    ledger.passes(MAX_HOLD - 1);
    ledger.from("b").send();
    assertThat(ledger.booked()).isEqualTo(held.granted());
    ledger.passes(1);
    ledger.from("b").send();
    assertThat(ledger.booked()).isZero();
  }

  @Test
  void lateReport_correctsWhatCountedAsHeld() {
    CellGrant held = ledger.from("a").needs(4).send().grant();
    ledger.passes(TTL + 1);
    ledger.from("b").send();
    assertThat(ledger.booked()).isEqualTo(held.granted());

    ledger.from("a").cell(cell(held, held.granted(), 0, held.granted() - 2)).send();
    assertThat(ledger.booked()).isEqualTo(2);
    assertThat(
            ledger
                .from("a")
                .cell(cell(held, held.granted(), 0, held.granted() - 2))
                .send()
                .grants())
        .isEmpty();
  }

  @Test
  void holderThatIsHeardOfAgain_hasWhatRunsCountedOnceMore() {
    CellGrant held = ledger.from("a").needs(4).send().grant();
    ledger.from("a").uses(held, 3).send();
    ledger.passes(TTL + MAX_HOLD + 2);
    ledger.from("b").send();
    assertThat(ledger.booked()).isZero();

    ledger.from("a").uses(held, 3).send();
    assertThat(ledger.booked()).isEqualTo(3);
    ledger.from("a").cell(cell(held, held.granted(), 0, held.granted()).asClosed()).send();
    assertThat(ledger.booked()).isZero();
  }

  @Test
  void holderThatKeepsReporting_isNotTakenForGone_howeverLongItHolds() {
    CellGrant held = ledger.from("a").needs(2).send().grant();
    for (int i = 0; i < 60; i++) {
      ledger.passes(TTL / 2);
      ledger.from("a").uses(held, 2).demand(2).send();
      ledger.from("b").send();
      assertThat(ledger.booked()).isEqualTo(2);
    }
  }

  @Test
  void holderOfMoreThanItsPart_isToldToGiveBack_whatOthersLack() {
    CellGrant held = holdsAll();
    ledger.from("b").needs(5).send();
    CellGrant told = ledger.from("a").uses(held, 10).demand(10).send().grant();
    assertThat(told.granted()).isBetween(5L, 7L);
    assertThat(ledger.from("a").uses(held, 10).demand(10).send().answer.scarce()).isTrue();
  }

  @Test
  void limitThatWasLowered_isKeptOnceSlotsComeBack_alsoByAHolderWithoutOthers() {
    CellGrant held = holdsAll();
    ledger.overBooked();
    ledger.limit(new ConcurrencyLimit(7, MAX_HOLD));
    CellGrant told = ledger.from("a").uses(held, 10).demand(10).send().grant();
    assertThat(told.granted()).isEqualTo(7);
    ledger.from("a").cell(cell(held, 12, 2, 3)).demand(10).send();
    assertThat(ledger.booked()).isEqualTo(7);
  }

  @Test
  void successor_takesWhatWasSetAside_asHeld_untilMaxHoldIsOver() {
    ledger.from("a").demand(2).needs(2).send();
    long aside = ledger.state.headrooms().stream().mapToLong(Headroom::total).sum();
    ledger.takenOver(ledger.now + 300 * MILLI);
    ledger.passes(TTL + SECOND);
    ledger.from("b").send();
    assertThat(ledger.available()).isLessThanOrEqualTo(10 - aside);
    ledger.passes(MAX_HOLD + SECOND);
    ledger.from("b").send();
    assertThat(ledger.booked()).isZero();
  }

  @Test
  void slotsOfHolders_areKeptInMind_untilTheyAreFree() {
    CellGrant held = ledger.from("a").needs(4).send().grant();
    ledger.from("a").uses(held, 3).send();
    assertThat(ledger.state.forgettableFrom(1)).isGreaterThanOrEqualTo(ledger.now + MAX_HOLD);
  }

  @Test
  void requestEvent_holdsNothing() {
    ledger.count(1, CellUsage.of(-1, 0).withTaken(5).asClosed());
    assertThat(ledger.booked()).isZero();
    assertThat(ledger.counted()).isEqualTo(5);
  }
}
