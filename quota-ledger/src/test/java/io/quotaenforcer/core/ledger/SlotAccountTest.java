package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as held of slots, and for how long. */
class SlotAccountTest {
  private static final long SECOND = TestLedger.SECOND;
  private static final long NOW = TestLedger.START + SECOND / 2;
  private static final long MAX_HOLD = 10 * SECOND;
  private static final ConcurrencyLimit SLOTS = new ConcurrencyLimit(20, MAX_HOLD);

  private final Account account = accountAt(NOW, 0);

  private static Account accountAt(long now, long booked) {
    return Account.of(SLOTS, SLOTS.book(SLOTS.initial(NOW), booked, NOW), StateClock.ENFORCER, now);
  }

  private static long held(Account of) {
    return SLOTS.used(of.state(), of.now);
  }

  /** Eight slots, of which requests hold as many. */
  private static LedgerCell lease(long used) {
    return LedgerCell.granted(1, 0, 8, NOW).withUsage(usage(used));
  }

  private static CellUsage usage(long used) {
    return CellUsage.of(1, 0).withGranted(8).withTaken(used + 2).withPutBack(2);
  }

  private static NewUse use(long permits) {
    return new NewUse(permits, 0, 0, ClockBound.NONE);
  }

  private static Holder holding(LedgerCell... cells) {
    return Holder.first(HolderId.of("a"), 1, 1, NOW).withCells(List.of(cells));
  }

  @Test
  void booked_isWhatRequestsHold_andWhatWasWrittenOff_butForWhatIsFree() {
    assertThat(SlotAccount.booked(lease(3))).isEqualTo(3);
    assertThat(SlotAccount.booked(lease(3).withWrittenOff(4).withOver(1))).isEqualTo(6);
    assertThat(SlotAccount.booked(lease(3).withUsage(usage(3).asClosed()))).isZero();
    CellUsage opened = CellUsage.of(-1, 0).withTaken(3);
    assertThat(SlotAccount.booked(LedgerCell.reportedOnly(-1, 0, NOW).withUsage(opened))).isZero();
    assertThat(SlotAccount.booked(holding(lease(3), lease(2)))).isEqualTo(5);
  }

  /** Slots that are given back unused were never held. */
  @Test
  void begun_isEachRequestThatTookASlot() {
    CellUsage known = CellUsage.of(1, 0).withTaken(5).withGivenBack(1);
    CellUsage merged = CellUsage.of(1, 0).withTaken(9).withPutBack(6).withGivenBack(2);

    assertThat(SlotAccount.begun(known, merged)).isEqualTo(3);
    assertThat(SlotAccount.begun(known, known.withGivenBack(3))).isZero();
  }

  @Test
  void slots_areFree_soLongAfterTheLeaseAndTheLastReport() {
    Holder late = holding().withReport(LastReport.none(NOW + 5));

    assertThat(SlotAccount.freeFrom(SLOTS, holding(), lease(3))).isEqualTo(NOW + MAX_HOLD);
    assertThat(SlotAccount.freeFrom(SLOTS, late, lease(3))).isEqualTo(NOW + 5 + MAX_HOLD);
    assertThat(SlotAccount.freeFrom(new FixedWindow(1, SECOND), late, lease(3))).isEqualTo(NOW + 5);
  }

  @Test
  void holder_mayBeForgotten_onceItHasNothing() {
    assertThat(account.mayForget(holding())).isTrue();
    assertThat(account.mayForget(holding(lease(0)))).as("it may take 8").isFalse();
    assertThat(account.mayForget(holding(lease(8)))).as("they are in use").isFalse();
    assertThat(account.mayForget(holding(lease(0).withUsage(usage(0).asClosed())))).isTrue();
  }

  @Test
  void slots_areHeld_untilTheyArePutBack() {
    assertThat(account.book(lease(5), use(5))).isEqualTo(lease(5));
    assertThat(held(account)).isEqualTo(5);
    account.book(lease(2), use(-3));
    assertThat(held(account)).isEqualTo(2);
  }

  @Test
  void cellThatAnInstanceOpened_holdsNothing() {
    LedgerCell opened = LedgerCell.reportedOnly(-1, 0, NOW);

    assertThat(account.book(opened, use(5))).isSameAs(opened);
    assertThat(held(account)).isZero();
  }

  @Test
  void closedCell_holdsNothing_whateverWasBookedOfIt() {
    Account booked = accountAt(NOW, 3);
    LedgerCell closed = lease(3).withUsage(usage(3).asClosed());
    assertThat(booked.book(closed, use(0))).isEqualTo(closed);
    assertThat(held(booked)).isZero();

    Account writtenOff = accountAt(NOW, 8);
    assertThat(writtenOff.book(closed.withWrittenOff(5), use(0)).writtenOff()).isZero();
    assertThat(held(writtenOff)).isZero();
  }

  /** Of what counted as held, it may hold no more than it can still take: 8 less 6. */
  @Test
  void lateReport_ofALeaseThatEnded_correctsWhatCountedAsHeld() {
    Account booked = accountAt(NOW, 8);
    LedgerCell cell = booked.book(lease(6).withWrittenOff(5), use(3));

    assertThat(cell.writtenOff()).isEqualTo(2);
    assertThat(held(booked)).isEqualTo(6 + 2);
  }

  @Test
  void reportOfAHolderThatWasGone_hasWhatRunsCountedOnceMore() {
    LedgerCell gone = lease(3).withWrittenOff(0).withOver(3);
    LedgerCell cell = account.book(gone, use(0));

    assertThat(cell.over()).isZero();
    assertThat(held(account)).isEqualTo(3);
    assertThat(account.book(cell, use(0))).as("not twice").isEqualTo(cell);
    assertThat(held(account)).isEqualTo(3);
  }

  @Test
  void leaseThatEnds_countsAsHeld_allOfIt() {
    Holder holder = holding(lease(3));
    assertThat(account.withoutEndedLeases(holder)).isEqualTo(holder);

    Account later = accountAt(NOW + 1, 3);
    LedgerCell ended = later.withoutEndedLeases(holder).cells().get(0);
    assertThat(ended.writtenOff()).isEqualTo(5);
    assertThat(held(later)).isEqualTo(8);
    assertThat(later.withoutEndedLeases(holding(ended))).as("once").isEqualTo(holding(ended));
    assertThat(held(later)).isEqualTo(8);
  }

  @Test
  void leaseThatEndedLongAgo_isFree_onceAllThatWasHeldMustHaveComeBack() {
    Holder ended = holding(lease(3).withWrittenOff(5));
    Account last = accountAt(NOW + MAX_HOLD, 8);
    assertThat(last.withoutEndedLeases(ended)).isEqualTo(ended);

    Account over = accountAt(NOW + MAX_HOLD + 1, 8);
    LedgerCell free = over.withoutEndedLeases(ended).cells().get(0);
    assertThat(free).isEqualTo(lease(3).withWrittenOff(0).withOver(3));
    assertThat(held(over)).isZero();
    Holder heardOf = ended.withReport(LastReport.none(NOW + 1));
    assertThat(accountAt(NOW + MAX_HOLD + 1, 8).withoutEndedLeases(heardOf)).isEqualTo(heardOf);
  }

  @Test
  void cells_thatAreClosedOrOpened_doNotEnd() {
    Holder holder =
        holding(LedgerCell.reportedOnly(-1, 0, NOW), lease(3).withUsage(usage(3).asClosed()));

    assertThat(accountAt(NOW + MAX_HOLD + 1, 0).withoutEndedLeases(holder)).isEqualTo(holder);
  }

  @Test
  void slots_mayComeBackAtAnyMoment() {
    Account booked = accountAt(NOW, 4);

    assertThat(booked.renewsAt()).isEqualTo(NOW);
    assertThat(booked.leftFor(lease(0))).isEqualTo(16);
    assertThat(booked.unusedSoon(0, SECOND)).isEqualTo(16);
    assertThat(booked.isPast(lease(0))).isFalse();
    assertThat(booked.countedIn(0)).isEqualTo(SLOTS.windowStart(NOW));
    booked.chargeOnce(CellUsage.of(-1, 0).withTaken(5), 0, NOW, 0);
    booked.spendAll(holding(lease(0)));
    assertThat(held(booked)).isEqualTo(4);
  }
}
